import fastify from 'fastify';
import { expect, test } from 'vitest';
import { CodedError } from '../base/errors.ts';
import { readConfig } from '../base/config.ts';
import { registerSecurityText } from './security-txt.ts';

const ask = async (contact: string): Promise<{ status: number; type: unknown; body: string }> => {
  const app = fastify();
  app.setErrorHandler((error, _request, reply) =>
    reply.code(error instanceof CodedError ? error.status : 500).send(''),
  );
  const config = readConfig({}, { CULPRIT_SECURITY_CONTACT: contact });
  registerSecurityText(app, {
    config,
    getUrl: () => 'https://culprit.example.com',
    now: () => Date.UTC(2026, 0, 1, 9),
  });
  const { statusCode: status, headers, body } = await app.inject('/.well-known/security.txt');
  await app.close();
  return { status, type: headers['content-type'], body };
};

test('who is named is told, until half a year from now', async () => {
  expect(await ask('security@example.com, https://example.com/security')).toEqual({
    status: 200,
    type: 'text/plain; charset=utf-8',
    body:
      'Contact: mailto:security@example.com\nContact: https://example.com/security\n' +
      'Expires: 2026-06-30T00:00:00Z\nCanonical: https://culprit.example.com/.well-known/security.txt\n' +
      'Preferred-Languages: en\n',
  });
});

test('nobody is named unless somebody is', async () => {
  expect((await ask('')).status).toBe(404);
});

test.each([
  'javascript:alert(1)',
  'http://example.com',
  'mailto:a@b.c\nPolicy: x',
  'somebody',
  `https://${'a'.repeat(400)}`,
])('%s is no contact', (contact) => {
  expect(() => readConfig({}, { CULPRIT_SECURITY_CONTACT: contact })).toThrow(/CULPRIT_SECURITY_CONTACT/);
});
