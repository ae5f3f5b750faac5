import { parseEnvelope } from '@culprit/envelope';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestServer, publicKey, testKey, type TestServer } from './test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await openTestServer();
});

afterAll(() => server[Symbol.asyncDispose]());
afterEach(async () => {
  await server.drain();
  expect(server.errors).toEqual([]);
});

async function post(body: string, contentType: string, to = 'security/'): Promise<Response> {
  const url = `${server.url}/api/1/${to}?sentry_key=${publicKey}&sentry_release=web%405.6.7&sentry_environment=production`;
  return fetch(url, { method: 'POST', body, headers: { 'content-type': contentType } });
}

async function received(): Promise<unknown[]> {
  return (await server.drainEnvelopes()).flatMap(({ body }) => {
    const { header, items } = parseEnvelope(body);
    return items.map((item) => ({
      eventId: header['event_id'],
      header: item.header,
      report: Buffer.from(item.payload).toString(),
    }));
  });
}

const csp = '{"csp-report":{"document-uri":"https://shop.example.com/","violated-directive":"img-src"}}';

test.each([
  ['application/csp-report', csp, 'security/'],
  ['application/csp-report; charset=utf-8', csp, 'csp-report/'],
  ['application/expect-ct-report+json', '{"expect-ct-report":{}}', 'security'],
  ['application/expect-ct-report', '{"expect-ct-report":{}}', 'security/'],
  ['application/expect-staple-report', '{"expect-staple-report":{}}', 'security/'],
  ['application/json', '{"known-pins":[]}', 'security/'],
  ['application/reports+json', '{"type":"csp-violation","body":{}}', 'security/'],
])('%s becomes an item', async (contentType, report, to) => {
  const response = await post(report, contentType, to);
  expect([response.status, await response.text()]).toEqual([200, '']);
  expect(await received()).toEqual([
    {
      eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
      header: {
        type: 'raw_security',
        content_type: contentType.split(';', 1)[0],
        sentry_release: 'web@5.6.7',
        sentry_environment: 'production',
        length: report.length,
      },
      report,
    },
  ]);
});

test('of a list each report becomes an event of its own', async () => {
  const reports = [1, 2].map((line) => ({ type: 'csp-violation', body: { lineNumber: line } }));
  expect((await post(JSON.stringify(reports), 'application/reports+json')).status).toBe(200);
  const all = (await received()) as { eventId: string; report: string }[];
  expect(all.map(({ report }) => JSON.parse(report))).toEqual(reports);
  expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(2);
});

test('of a very long list the first hundred stay', async () => {
  const response = await post(JSON.stringify(Array.from({ length: 150 }, () => ({}))), 'application/reports+json');
  expect(response.status).toBe(200);
  expect(await received()).toHaveLength(100);
  expect(await server.drainOutcomes()).toEqual({ '1 security invalid:too_many': 50 });
});

test.each([
  ['text/plain', csp, 415, 'SECURITY_REPORT_TYPE'],
  ['', csp, 415, 'SECURITY_REPORT_TYPE'],
  ['application/csp-report', '', 400, 'BODY_EMPTY'],
  ['application/csp-report', '{', 400, 'SECURITY_REPORT_MALFORMED'],
  ['application/csp-report', '"text"', 400, 'SECURITY_REPORT_MALFORMED'],
  ['application/reports+json', '[1,2]', 400, 'SECURITY_REPORT_MALFORMED'],
  [
    'application/reports+json',
    `[{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}]`,
    400,
    'SECURITY_REPORT_MALFORMED',
  ],
  ['application/csp-report', `{"a":"${'x'.repeat(2 ** 20)}"}`, 413, 'ITEM_TOO_LARGE'],
])('%j %#: refused', async (contentType, body, status, code) => {
  const response = await post(body, contentType);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([status, code]);
  expect(await server.drainEnvelopes()).toEqual([]);
});

test('the limit of a key counts reports', async () => {
  server.keys.set(publicKey, testKey({ rateLimit: { count: 1, windowSeconds: 3600 } }));
  const first = await post('[{},{},{}]', 'application/reports+json');
  expect(first.status).toBe(200);
  expect(first.headers.get('x-sentry-rate-limits')).toMatch(/^\d+:security:key:key_quota$/);
  expect(await received()).toHaveLength(1);
  expect((await post(csp, 'application/csp-report')).status).toBe(429);
  expect(await server.drainOutcomes()).toMatchObject({ '1 security rate_limited:key_quota': 3 });
  server.keys.set(publicKey, testKey());
});
