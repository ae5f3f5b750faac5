import { describe, expect, test } from 'vitest';
import { CodedError } from '../../base/errors.ts';
import { openTestApi } from '../testing.ts';

const owner = {
  email: 'first@example.com',
  password: 'correct horse battery',
  organization: 'Acme Inc',
  project: 'Shop',
  platform: 'javascript-nextjs',
};

test('the first visit: set up, signed in, once only', async () => {
  await using api = await openTestApi({ setUp: false });
  const { app } = api;
  expect((await app.inject('/api/0/setup/')).json()).toMatchObject({ needed: true });
  expect((await app.inject('/api/0/')).json()).toMatchObject({ version: '0', user: null, auth: null });

  const link = await api.accounts.setUpLink();
  const first = { ...owner, secret: new URL(link ?? '').hash.slice(1) };
  const weak = await app.inject({ method: 'POST', url: '/api/0/setup/', payload: { ...first, password: 'short' } });
  expect(weak.json()).toMatchObject({
    code: 'INPUT_INVALID',
    detail: 'Field password: must have at least 8 characters.',
  });
  const foreign = await app.inject({
    method: 'POST',
    url: '/api/0/setup/',
    payload: first,
    headers: { origin: 'https://evil.example' },
  });
  expect(foreign.json()).toMatchObject({ code: 'ORIGIN_MISMATCH' });

  for (const secret of [undefined, '', `${first.secret}x`, first.secret.slice(1)]) {
    const refused = await app.inject({ method: 'POST', url: '/api/0/setup/', payload: { ...owner, secret } });
    expect(refused.json()).toMatchObject({ code: 'SETUP_SECRET', status: 403 });
  }

  const done = await app.inject({ method: 'POST', url: '/api/0/setup/', payload: first });
  expect(done.statusCode).toBe(201);
  expect(done.json()).toMatchObject({
    user: { email: first.email, name: 'first' },
    organization: { slug: 'acme-inc', name: 'Acme Inc' },
    project: { slug: 'shop' },
    dsn: expect.stringMatching(/^http:\/\/[0-9a-f]{32}@culprit\.test\/\d+$/) as string,
  });
  const cookie = done.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('; ');
  const self = await app.inject({ url: '/api/0/', headers: { cookie } });
  expect(self.json()).toMatchObject({ user: { email: first.email } });
  expect((await app.inject('/api/0/setup/')).json()).toMatchObject({ needed: false });
  expect(await api.accounts.setUpLink()).toBeUndefined();
  const again = await app.inject({ method: 'POST', url: '/api/0/setup/', payload: first });
  expect(again.json()).toMatchObject({ code: 'SETUP_DONE', status: 409 });

  const signIn = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: first.email, password: first.password },
    headers: { origin: 'http://localhost:7420', host: 'localhost:7420' },
  });
  expect(signIn.statusCode).toBe(200);
  expect(signIn.headers['set-cookie']).toBeDefined();
  const wrong = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email: first.email, password: 'not this one' },
    headers: { origin: 'http://localhost:7420', host: 'localhost:7420' },
  });
  expect(wrong.statusCode).toBe(401);
  expect(api.errors).toEqual([]);
});

describe('the installation', () => {
  test('health, and who am I', async () => {
    await using api = await openTestApi();
    expect(await api.get('/api/0/health/')).toMatchObject({
      status: 'ok',
      reasons: [],
      log: { records: 0 },
      engine: { ready: true },
      disk: { usedBytes: expect.any(Number) as number },
      unknownItemTypes: [],
    });
    expect(await api.get('/api/0/')).toMatchObject({
      user: { id: api.userId },
      auth: { scopes: expect.arrayContaining(['event:read']) as string[] },
    });
    const document = await api.get<{ openapi: string; paths: object }>('/api/0/openapi.json');
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths).length).toBeGreaterThan(30);
  });

  test('what the console starts with: of the caller alone, and no more than they may read', async () => {
    await using api = await openTestApi();
    const boot = async (token: string, query = '') =>
      (await api.call({ method: 'GET', url: `/api/0/boot/${query}`, token })).json<Record<string, unknown>>();
    const nothing = { setUpNeeded: false, organizations: [], projects: null };
    expect(await boot('')).toMatchObject({ self: { user: null, auth: null }, ...nothing });
    expect(await boot('', '?org=acme')).toMatchObject(nothing);

    const [self, organizations, projects] = await Promise.all(
      ['/', '/organizations/', '/organizations/acme/projects/'].map((url) => api.get(`/api/0${url}`)),
    );
    const all = {
      self,
      setUpNeeded: false,
      mayCreateOrganizations: false,
      organizations,
      closedOrganizations: [],
      projects,
      preferences: null,
    };
    for (const query of ['', '?org=acme', '?org=of-somebody-else']) expect(await boot(api.token, query)).toEqual(all);
    expect(await boot(await api.makeToken('org:read'))).toMatchObject({
      organizations: [{ slug: 'acme' }],
      projects: null,
    });
    expect(await boot(await api.makeToken('project:read'))).toMatchObject(nothing);
    expect(await boot('made up')).toMatchObject({ self: { user: null }, ...nothing });

    await using empty = await openTestApi({ setUp: false });
    expect((await empty.app.inject('/api/0/boot/')).json()).toMatchObject({ ...nothing, setUpNeeded: true });
  });

  test('what goes wrong on the server has a digest that its log has too', async () => {
    await using api = await openTestApi();
    const { events } = api;
    const query = events.query.bind(events);
    events.query = () => Promise.reject(new Error('the secret inner truth'));
    const failed = await api.call({ method: 'GET', url: '/api/0/organizations/acme/environments/' });
    expect(failed.statusCode).toBe(500);
    const problem = failed.json<{ digest: string; code: string }>();
    expect(problem).toMatchObject({ code: 'INTERNAL', digest: expect.stringMatching(/^\d{1,10}$/) as string });
    expect(failed.body).not.toContain('secret');
    expect(api.errors).toMatchObject([
      { fields: { digest: problem.digest, err: { message: 'the secret inner truth' } } },
    ]);

    events.query = () => Promise.reject(new CodedError('ENGINE_UNAVAILABLE', [], { retryAfter: 1 }));
    const away = await api.call({ method: 'GET', url: '/api/0/organizations/acme/environments/' });
    expect(away.statusCode).toBe(503);
    expect(away.headers['retry-after']).toBe('1');
    expect(away.json()).toMatchObject({ code: 'ENGINE_UNAVAILABLE', digest: expect.any(String) as string });
    events.query = query;
  });
});
