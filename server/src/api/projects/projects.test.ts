import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, payload?: object) => {
  const answer = await api.call({ method, url: `/api/0${path}`, ...(payload && { payload }) });
  return {
    status: answer.statusCode,
    body: answer.body ? answer.json<Record<string, unknown>>() : undefined,
    headers: answer.headers,
  };
};

test('organisations, by slug and by id', async () => {
  const { body } = await call('GET', '/organizations/acme/');
  expect(body).toMatchObject({
    slug: 'acme',
    name: 'Acme',
    role: 'owner',
    links: { organizationUrl: 'http://culprit.test' },
    require2FA: false,
  });
  expect((await call('GET', `/organizations/${String(body?.['id'])}/`)).body).toEqual(body);
  expect((await call('GET', '/organizations/?cursor=')).body).toEqual([body]);
});

test('a project: made, read, changed, deleted with its events', async () => {
  const made = await call('POST', '/organizations/acme/projects/', { name: 'Mobile App', platform: 'react-native' });
  expect(made).toMatchObject({
    status: 201,
    body: {
      slug: 'mobile-app',
      platform: 'react-native',
      firstEvent: null,
      firstTransactionEvent: false,
      firstSpan: null,
      settings: { scrubData: true },
      organization: { slug: 'acme' },
    },
  });
  const id = Number(made.body?.['id']);
  expect((await call('GET', `/projects/acme/${id}/`)).body).toEqual(made.body);
  expect((await call('POST', '/organizations/acme/projects/', { name: 'x', slug: 'mobile-app' })).body).toMatchObject({
    code: 'SLUG_TAKEN',
    status: 409,
  });

  const changed = await call('PUT', '/projects/acme/mobile-app/', {
    name: 'App',
    slug: 'app',
    settings: { sensitiveFields: ['iban'] },
  });
  expect(changed.body).toMatchObject({
    name: 'App',
    slug: 'app',
    platform: 'react-native',
    settings: { sensitiveFields: ['iban'], scrubData: true },
  });
  expect((await call('GET', '/projects/acme/mobile-app/')).status).toBe(404);

  const list = await api.call({ method: 'GET', url: '/api/0/organizations/acme/projects/?limit=1' });
  expect(list.json()).toMatchObject([{ slug: 'app' }]);
  expect(list.headers.link).toContain('rel="next"; results="true"; cursor="0:1:0"');
  expect(
    (await api.call({ method: 'GET', url: '/api/0/organizations/acme/projects/?limit=1&cursor=0:1:0' })).json(),
  ).toMatchObject([{ slug: 'web' }]);

  await store(api, [errorRow({ project_id: id, group_hash: hash('gone') })]);
  expect((await call('DELETE', '/projects/acme/app/')).status).toBe(204);
  expect((await call('GET', '/projects/acme/app/')).status).toBe(404);
  await expect
    .poll(() => api.events.query('SELECT 1 AS x FROM errors WHERE project_id = {id:UInt64}', { id }), {
      timeout: 10_000,
    })
    .toEqual([]);
});

test("keys in Sentry's shape", async () => {
  const listed = await api.get<{ id: string; public: string }[]>('/api/0/projects/acme/web/keys/');
  expect(listed).toMatchObject([
    { name: 'Default', label: 'Default', isActive: true, rateLimit: null, projectId: api.projectId },
  ]);
  const made = await call('POST', '/projects/acme/web/keys/', {
    name: 'Worker',
    rateLimit: { window: 60, count: 100 },
  });
  expect(made).toMatchObject({ status: 201, body: { name: 'Worker', rateLimit: { window: 60, count: 100 } } });
  const { id, public: publicKey } = made.body as { id: string; public: string };
  expect(made.body?.['dsn']).toEqual({
    public: `http://${publicKey}@culprit.test/${api.projectId}`,
    security: `http://culprit.test/api/${api.projectId}/security/?sentry_key=${publicKey}`,
    aliases: [],
  });
  const alias = '4507199254740993127';
  expect(await call('POST', '/projects/acme/web/aliases/', { alias })).toMatchObject({ status: 201, body: { alias } });
  expect(await api.get('/api/0/projects/acme/web/aliases/')).toEqual([{ alias }]);
  expect(await api.get(`/api/0/projects/acme/web/keys/`)).toMatchObject([
    { dsn: { aliases: [expect.stringMatching(new RegExp(`@culprit.test/${alias}$`))] } },
    { dsn: { aliases: [`http://${publicKey}@culprit.test/${alias}`] } },
  ]);
  expect((await call('POST', '/projects/acme/web/aliases/', { alias: 'x' })).status).toBe(400);
  expect((await call('DELETE', `/projects/acme/web/aliases/${alias}/`)).status).toBe(204);
  expect((await call('DELETE', `/projects/acme/web/aliases/${alias}/`)).status).toBe(404);
  const changed = await call('PUT', `/projects/acme/web/keys/${id}/`, { isActive: false, rateLimit: null });
  expect(changed.body).toMatchObject({ name: 'Worker', isActive: false, rateLimit: null });
  expect((await call('PUT', `/projects/acme/web/keys/${publicKey}/`, { name: 'Jobs' })).body).toMatchObject({
    id,
    name: 'Jobs',
  });
  expect((await call('PUT', `/projects/acme/web/keys/${id}/`, { rateLimit: { window: 0, count: 1 } })).status).toBe(
    400,
  );
  expect((await call('DELETE', `/projects/acme/web/keys/${id}/`)).status).toBe(204);
  expect((await call('DELETE', `/projects/acme/web/keys/${id}/`)).status).toBe(404);
});

test('tokens: shown once, no stronger than their maker', async () => {
  const made = await call('POST', '/organizations/acme/api-tokens/', {
    name: 'ci',
    scopes: ['project:releases', 'org:read'],
  });
  expect(made).toMatchObject({ status: 201, body: { name: 'ci', token: expect.stringMatching(/^sntryu_/) as string } });
  const token = String(made.body?.['token']);
  const listed = await api.call({ method: 'GET', url: '/api/0/organizations/acme/api-tokens/' });
  expect(listed.body).not.toContain(token);
  expect(listed.json()).toMatchObject([{ name: 'ci', tokenLastCharacters: token.slice(-4) }, { name: 'test' }]);
  const weak = await api.call({
    method: 'POST',
    url: '/api/0/organizations/acme/api-tokens/',
    token,
    payload: { name: 'more', scopes: ['event:admin'] },
  });
  expect(weak.json()).toMatchObject({ code: 'SCOPE_MISSING' });
  expect((await call('POST', '/organizations/acme/api-tokens/', { name: 'none', scopes: [] })).status).toBe(400);
  expect((await call('DELETE', `/organizations/acme/api-tokens/${String(made.body?.['id'])}/`)).status).toBe(204);
  expect((await call('DELETE', '/organizations/acme/api-tokens/0x1/')).status).toBe(404);
  expect((await api.call({ method: 'GET', url: '/api/0/health/', token })).json()).toMatchObject({
    code: 'TOKEN_INVALID',
  });
});
