/** What Sentry's own clients ask that the console does not: whose a token is, one tag, projects of teams. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { createProject, listKeys, listProjects } from '../domains/projects/index.ts';
import { createTeam } from '../domains/teams/index.ts';
import { openTestApi, owner, type TestApi } from './testing.ts';

let api: TestApi;
let member: string;
let rival: { readonly token: string; readonly issueId: string };
let teamOfOthers: number;

const sessionOf = async (credentials: { email: string; password: string }): Promise<string> =>
  (await api.accounts.signIn(credentials))?.map((one) => one.split(';', 1)[0]).join('; ') ?? '';

beforeAll(async () => {
  api = await openTestApi();
  const { state, projectId, organizationId, userId } = api;
  const team = { name: 'Shop', slug: 'shop', projectIds: [], userIds: [userId] };
  await createTeam(state, organizationId, team, Date.now());
  const person = { email: 'member@example.com', password: 'a long enough phrase' };
  await api.accounts.createUser({ ...person, organizationId });
  member = await sessionOf(person);
  const tags = { plan: 'gold', [`long.${'k'.repeat(190)}`]: 'x' };
  const row = (plan: string) => errorRow({ project_id: projectId, group_hash: hash('ours'), tags: { ...tags, plan } });
  await store(api, [row('gold'), row('gold'), row('free')]);

  await state.db
    .insertInto('organization')
    .values({ id: 'rival', name: 'Rival', slug: 'rival', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const { project } = await createProject(state, { organizationId: 'rival', name: 'Secret' });
  await store(api, [errorRow({ project_id: project.id, group_hash: hash('theirs'), tags: { plan: 'secret' } })]);
  const newUser = { email: 'rival@example.com', password: 'a long enough phrase', organizationId: 'rival' };
  const user = await api.accounts.createUser({ ...newUser, role: 'owner' });
  teamOfOthers = await createTeam(state, 'rival', { name: 'Theirs', projectIds: [], userIds: [user.id] }, Date.now());
  const scopes = ['org:admin', 'event:admin', 'project:admin', 'member:admin'] as const;
  const { token } = await api.accounts.createToken({
    organizationId: 'rival',
    userId: user.id,
    name: 'theirs',
    scopes: [...scopes],
  });
  const theirs = await state.db
    .selectFrom('issue')
    .select('id')
    .where('project_id', '=', project.id)
    .executeTakeFirst();
  rival = { token, issueId: String(theirs?.id) };
});
afterAll(() => api?.[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask(
  method: 'GET' | 'POST',
  path: string,
  by: { readonly token?: string; readonly cookie?: string; readonly headers?: Record<string, string> } = {},
  payload?: object,
): Promise<Answer> {
  const { token = '', cookie, headers } = by;
  const answer = await api.call({
    method,
    url: `/api/0${path}`,
    token,
    headers: { ...(cookie && { cookie, 'sec-fetch-site': 'same-origin' }), ...headers },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
}

/** What stands in every page of a project's users. */
async function byPublicKey(): Promise<Record<string, string>> {
  const [key] = await listKeys(api.state, api.projectId);
  return { 'x-sentry-auth': `Sentry sentry_version=7, sentry_key=${key?.publicKey}` };
}

describe('GET /auth/', () => {
  const self = { id: expect.any(String) as string, email: owner.email, username: owner.email, isActive: true };

  test('says whose the session or the token is', async () => {
    expect(await ask('GET', '/auth/', { token: api.token })).toMatchObject({ status: 200, body: self });
    expect(await ask('GET', '/auth/', { cookie: await sessionOf(owner) })).toMatchObject({ status: 200, body: self });
    // The least that a token can be is enough to say whose it is.
    const token = await api.makeToken('project:releases');
    expect(await ask('GET', '/auth/', { token })).toMatchObject({ status: 200, body: self });
    expect(await ask('GET', '/auth/', { token: rival.token })).toMatchObject({ body: { email: 'rival@example.com' } });
  });

  test('says nothing to strangers, public keys, unknown tokens and those of the organisation', async () => {
    const { organizationId, userId } = api;
    const build = await api.accounts.createToken({ organizationId, userId, name: 'build', kind: 'organization' });
    const callers = [
      {},
      { headers: await byPublicKey() },
      { token: `sntryu_${'0'.repeat(64)}` },
      { token: build.token },
      { cookie: 'better-auth.session_token=guessed' },
    ];
    for (const caller of callers) {
      const { status, body } = await ask('GET', '/auth/', caller);
      expect(status).toBe(401);
      expect(JSON.stringify(body)).not.toContain(owner.email);
    }
  });
});

describe('one tag of an issue', () => {
  test('has its most frequent values, by both addresses', async () => {
    const value = (name: string, count: number) => ({ key: 'plan', name, value: name, count });
    const tag = {
      key: 'plan',
      name: 'plan',
      totalValues: 3,
      uniqueValues: 2,
      topValues: [value('gold', 2), value('free', 1)],
    };
    for (const path of ['/issues/1/tags/plan/', '/organizations/acme/issues/WEB-1/tags/plan/']) {
      expect(await ask('GET', path, { token: api.token })).toMatchObject({ status: 200, body: tag });
      const few = await ask('GET', `${path}?limit=1`, { token: api.token });
      expect(few.body).toMatchObject({ uniqueValues: 2, topValues: [value('gold', 2)] });
    }
    const environment = await ask('GET', '/issues/1/tags/environment/', { token: api.token });
    expect(environment.body).toMatchObject({ topValues: [{ value: 'production', count: 3 }] });
    expect((await ask('GET', '/issues/1/tags/plan/', { cookie: member })).status).toBe(200);
  });

  test('is nobody else’s, and no key is too much', async () => {
    const of = async (path: string, by: Parameters<typeof ask>[2]) => (await ask('GET', path, by)).status;
    const own = { token: api.token };
    expect(await of('/issues/1/tags/plan/', {})).toBe(401);
    expect(await of('/issues/1/tags/plan/', { headers: await byPublicKey() })).toBe(401);
    expect(await of('/issues/1/tags/plan/', { token: await api.makeToken('project:releases', 'org:read') })).toBe(403);
    expect(await of('/issues/1/tags/plan/', { token: rival.token })).toBe(404);
    expect(await of(`/issues/${rival.issueId}/tags/plan/`, own)).toBe(404);
    expect(await of(`/organizations/acme/issues/${rival.issueId}/tags/plan/`, own)).toBe(404);
    expect(await of('/organizations/rival/issues/1/tags/plan/', own)).toBe(404);
    const long = `long.${'k'.repeat(190)}`;
    expect(await of(`/issues/1/tags/${long}/`, own)).toBe(200);
    for (const key of ['nothing', `${long}${'k'.repeat(10)}`, 'k'.repeat(5_000), "'%20OR%201=1", '%00', '..%2f']) {
      expect([400, 404]).toContain(await of(`/issues/1/tags/${key}/`, own));
    }
    expect(await of('/issues/1/tags/plan/?limit=51', own)).toBe(400);
    expect(api.errors).toEqual([]);
  });
});

describe('POST /teams/{org}/{team}/projects/', () => {
  const path = '/teams/acme/shop/projects/';

  test('makes a project that the team works on, as that of the organisation does', async () => {
    const token = await api.makeToken('project:write');
    const body = { name: 'Pocket Shop', platform: 'node' };
    const made = await ask('POST', path, { token }, body);
    expect(made).toMatchObject({
      status: 201,
      body: { slug: 'pocket-shop', platform: 'node', teams: [{ slug: 'shop' }], dsn: expect.any(String) as string },
    });
    const team = await api.get<{ projects: { slug: string }[] }>('/api/0/teams/acme/shop/');
    expect(team.projects).toMatchObject([{ slug: 'pocket-shop' }]);
    const rules = await api.get<{ projectIds: string[] }[]>('/api/0/organizations/acme/alert-rules/');
    expect(rules.filter(({ projectIds }) => projectIds.includes(String(made.body['id'])))).toHaveLength(1);
    const quiet = await ask('POST', path, { token }, { name: 'Quiet', default_rules: false });
    const after = await api.get<{ projectIds: string[] }[]>('/api/0/organizations/acme/alert-rules/');
    expect(after.filter(({ projectIds }) => projectIds.includes(String(quiet.body['id'])))).toEqual([]);
  });

  test('makes none for who may not, for others, or out of nonsense', async () => {
    const before = await listProjects(api.state, api.organizationId);
    const asked = { name: 'Mine' };
    const write = { token: await api.makeToken('project:write') };
    const refused: [number, ...Parameters<typeof ask>][] = [
      [401, 'POST', path, {}, asked],
      [401, 'POST', path, { headers: await byPublicKey() }, asked],
      [403, 'POST', path, { cookie: member }, asked],
      [403, 'POST', path, { token: await api.makeToken('project:read', 'org:admin', 'project:releases') }, asked],
      [404, 'POST', path, { token: rival.token }, asked],
      [404, 'POST', '/teams/rival/theirs/projects/', write, asked],
      [404, 'POST', `/teams/acme/${teamOfOthers}/projects/`, write, asked],
      [404, 'POST', '/teams/acme/nobody/projects/', write, asked],
      [409, 'POST', path, write, { name: 'Again', slug: 'web' }],
      [400, 'POST', path, write, {}],
      [400, 'POST', path, write, { name: ' ' }],
      [400, 'POST', path, write, { name: 'n'.repeat(65) }],
      [400, 'POST', path, write, { name: 'Bad', slug: 'Not a slug' }],
      [400, 'POST', path, write, { name: 'Bad', platform: '<script>' }],
      [400, 'POST', `/teams/acme/${'t'.repeat(65)}/projects/`, write, asked],
    ];
    for (const [status, ...call] of refused) expect([status, call]).toEqual([(await ask(...call)).status, call]);
    const cookie = await sessionOf(owner);
    const elsewhere = { headers: { cookie, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } };
    expect((await ask('POST', path, elsewhere, asked)).status).toBe(403);
    expect(await listProjects(api.state, api.organizationId)).toEqual(before);
  });
});
