/** What a browser gets from the running program: headers, cookies, and no page where there is none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { owner, Server } from './harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create({ CULPRIT_SELF_REPORT: 'on' });
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test.each(['/', '/api/0/setup/', '/api/0/nothing/', '/api/nothing', '/healthz', '/guard.js'])(
  '%s is never taken for another type than it is said to be',
  async (path) => {
    expect((await fetch(server.url + path)).headers.get('x-content-type-options')).toBe('nosniff');
  },
);

test.each(['/api/nothing', '/api/1/nothing/', '/api/0/nothing/'])('%s is not answered with a page', async (path) => {
  const response = await fetch(server.url + path);
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', detail: expect.stringContaining('/api/') });
});

test.each(['/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/assets/%00.js'])(
  '%s is not there',
  async (path) => {
    const response = await fetch(server.url + path);
    expect(await response.text()).not.toContain('"name"');
    expect([404, 503]).toContain(response.status);
  },
);

test('signing in sets a cookie that scripts and other sites cannot use; nothing else of sign-in is open', async () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api/auth${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', origin: server.url, ...headers },
    });
  const { email, password } = owner;
  const signedIn = await post('/sign-in/email', { email, password });
  expect(signedIn.status).toBe(200);
  const [cookie = ''] = signedIn.headers.getSetCookie();
  expect(cookie).toMatch(/^culprit\.session_token=[^;]+;(?=.* HttpOnly)(?=.* SameSite=Lax)(?=.* Path=\/)/);

  const eve = { email: 'eve@example.com', password: 'password1', name: 'Eve' };
  for (const path of ['/sign-up/email', '/organization/create', '/organization/invite-member', '/update-user']) {
    expect([path, (await post(path, eve, { cookie })).status]).toEqual([path, 404]);
  }
  expect((await post('/sign-in/email', { email, password }, { origin: 'https://evil.example' })).status).toBe(403);
});

test('answers of the API are compressed, but not for this machine, and no stream of events', async () => {
  const ask = (path: string, headers: Record<string, string> = { 'x-forwarded-for': '198.51.100.7' }) =>
    fetch(server.url + path, { headers: { 'accept-encoding': 'br', ...headers } });
  const answer = await ask('/api/0/openapi.json');
  expect([answer.headers.get('content-encoding'), answer.headers.get('vary')]).toEqual(['br', 'accept-encoding']);
  const direct = await ask('/api/0/openapi.json', {});
  expect([direct.headers.get('content-encoding'), direct.headers.get('vary')]).toEqual([null, 'accept-encoding']);
  const text = await direct.text();
  expect(await answer.text()).toBe(text);
  expect(Number(answer.headers.get('content-length'))).toBeLessThan(text.length / 5);

  const authorization = `Bearer ${server.installed.token}`;
  const live = await ask('/api/0/organizations/acme/live/', { authorization, 'x-forwarded-for': '198.51.100.7' });
  expect([live.status, live.headers.get('content-encoding')]).toEqual([200, null]);
  await live.body?.cancel();
});

test('nobody sets it up a second time', async () => {
  const response = await fetch(`${server.url}/api/0/setup/`, {
    method: 'POST',
    body: JSON.stringify({ email: 'eve@example.com', password: 'password1', organization: 'Eve', project: 'Eve' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(409);
});
