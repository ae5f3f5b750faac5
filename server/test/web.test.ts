/** What a browser gets from the running program: headers, cookies, and no page where there is none. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { owner, Server } from './harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create();
});
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

test.each(['/', '/api/0/setup/', '/api/0/nothing/', '/api/nothing', '/healthz', '/theme.js'])(
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

test('nobody sets it up a second time', async () => {
  const response = await fetch(`${server.url}/api/0/setup/`, {
    method: 'POST',
    body: JSON.stringify({ email: 'eve@example.com', password: 'password1', organization: 'Eve', project: 'Eve' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(409);
});
