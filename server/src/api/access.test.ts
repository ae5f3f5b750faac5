/** Who may call what. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { createProject } from '../domains/projects/index.ts';
import { endpoints } from './endpoints.ts';
import { apiPrefix } from './shared/route-schema.ts';
import { baseUrl, openTestApi, owner, type TestApi } from './testing.ts';

let api: TestApi;
let cookie: string;
let other: { project: number; token: string; eventId: string };

beforeAll(async () => {
  api = await openTestApi();
  await store(api, [errorRow({ project_id: api.projectId, group_hash: hash('ours'), event_id: hash('our event') })]);
  cookie = (await api.accounts.signIn(owner))?.map((one) => one.split(';', 1)[0]).join('; ') ?? '';
  // Another organisation with a project, an issue and a member of its own.
  await api.state.db
    .insertInto('organization')
    .values({ id: 'other-org', name: 'Rival', slug: 'rival', logo: null, metadata: null, createdAt: new Date() })
    .execute();
  const { project } = await createProject(api.state, { organizationId: 'other-org', name: 'Secret' });
  const user = await api.accounts.createUser({
    email: 'rival@example.com',
    password: 'another password',
    organizationId: 'other-org',
    role: 'owner',
  });
  const { token } = await api.accounts.createToken({
    organizationId: 'other-org',
    userId: user.id,
    name: 'theirs',
    scopes: ['org:admin', 'event:admin', 'project:admin'],
  });
  other = { project: project.id, token, eventId: hash('their event') };
  await store(api, [errorRow({ project_id: project.id, group_hash: hash('theirs'), event_id: other.eventId })]);
});

afterAll(() => api[Symbol.asyncDispose]());

/** A path of the endpoint that exists for us. */
function pathOf(url: string): string {
  return `${apiPrefix}${url}`
    .replace('/projects/:org/:project/', '/projects/acme/web/')
    .replace(':org', 'acme')
    .replace(':project', 'web')
    .replace(':issue', '1')
    .replace(':event', hash('our event'))
    .replace(':shortId', 'WEB-1')
    .replace(':item', `1-1-${'0'.repeat(16)}`)
    .replace(':id', '1');
}

describe.each(endpoints.filter(({ access }) => access !== 'public'))(
  '$method $url',
  ({ method, url, access, tokenAccess }) => {
    const path = pathOf(url);

    test('needs a caller', async () => {
      const nobody = await api.app.inject({ method, url: path });
      expect(nobody.statusCode).toBe(401);
      expect(nobody.json()).toMatchObject({ code: 'AUTH_REQUIRED', status: 401, title: 'Unauthorized' });
      expect(nobody.headers).toMatchObject({
        'content-type': 'application/problem+json; charset=utf-8',
        'www-authenticate': 'Bearer',
        'cache-control': 'no-store',
      });
      const unknown = await api.call({ method, url: path, token: `sntryu_${'0'.repeat(64)}` });
      expect(unknown.json()).toMatchObject({ code: 'TOKEN_INVALID', status: 401 });
    });

    test.runIf(access !== 'user')('needs its scope', async () => {
      const enough: readonly string[] = [access].flat();
      const token = await api.makeToken(enough.includes('member:read') ? 'project:releases' : 'member:read');
      const answer = await api.call({ method, url: path, token });
      expect(answer.statusCode).toBe(403);
      expect(answer.json()).toMatchObject({
        code: 'SCOPE_MISSING',
        detail: `This token needs the scope ${[tokenAccess ?? access].flat().join(' or ')}.`,
      });
    });

    test.runIf(/:(org|issue)/.test(url))('does not show another organisation', async () => {
      const answer = await api.call({ method, url: path, token: other.token });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'NOT_FOUND' });
    });
  },
);

test("another organisation's data are nowhere, also where ids are guessed", async () => {
  for (const url of [
    `/projects/acme/${other.project}/`,
    `/projects/acme/secret/issues/`,
    `/organizations/acme/issues/2/`,
    `/issues/2/`,
    `/issues/SECRET-1/`,
    `/issues/2/events/latest/`,
    `/organizations/acme/shortids/SECRET-1/`,
    `/organizations/acme/eventids/${other.eventId}/`,
    `/projects/acme/web/events/${other.eventId}/`,
    `/issues/1/events/${other.eventId}/`,
    `/organizations/acme/issues/?project=${other.project}`,
    `/organizations/acme/items/${other.project}-1-${'0'.repeat(16)}/`,
    '/organizations/rival/',
    '/organizations/other-org/issues/',
  ]) {
    expect((await api.call({ method: 'GET', url: `${apiPrefix}${url}` })).statusCode, url).toBe(404);
  }
  const issues = await api.get<{ id: string }[]>(`${apiPrefix}/organizations/acme/issues/?query=`);
  expect(issues.map(({ id }) => id)).toEqual(['1']);
  const change = await api.call({
    method: 'PUT',
    url: `${apiPrefix}/organizations/acme/issues/?id=2`,
    payload: { status: 'resolved' },
  });
  expect(change.statusCode).toBe(404);
  const names = (await api.get<{ slug: string }[]>(`${apiPrefix}/organizations/`)).map(({ slug }) => slug);
  expect(names).toEqual(['acme']);
});

describe("another organisation's ids in what is sent", () => {
  let their: { member: string; user: string; team: number; channel: number; rule: number; file: number; job: number };

  beforeAll(async () => {
    const { db } = api.state;
    const at = Date.now();
    const { member, user } = await db
      .selectFrom('member')
      .select(['id as member', 'userId as user'])
      .where('organizationId', '=', 'other-org')
      .executeTakeFirstOrThrow();
    const post = async (url: string, payload: object): Promise<number> => {
      const method = url.endsWith('ownership/') ? 'PUT' : 'POST';
      const answer = await api.call({ method, url: `${apiPrefix}${url}`, payload, token: other.token });
      expect(answer.statusCode, `${url} ${answer.body}`).toBeLessThan(300);
      return Number(answer.json<{ id: string }>().id);
    };
    const { id: team } = await db
      .insertInto('team')
      .values({ organization_id: 'other-org', slug: 'theirs', name: 'Theirs', created_at: at })
      .returning('id')
      .executeTakeFirstOrThrow();
    const channel = await post('/organizations/rival/channels/', {
      type: 'slack',
      name: 'Ops',
      config: { url: 'https://hooks.slack.com/services/T0/B0/abcdefgh' },
    });
    const rule = await post('/organizations/rival/alert-rules/', {
      kind: 'issue',
      name: 'New',
      conditions: [{ type: 'new_issue' }],
    });
    const file = await post('/projects/rival/secret/codeowners/', { raw: '* @theirs' });
    const job = await post('/organizations/rival/issues/bulk/', { ids: ['2'], change: { priority: 'low' } });
    await post('/issues/2/comments/', { text: 'ours alone' });
    their = { member, user, team, channel, rule, file, job };
  });

  test.each<
    [
      method: 'GET' | 'POST' | 'PUT' | 'DELETE',
      url: (one: typeof their) => string,
      body?: (one: typeof their) => object,
    ]
  >([
    ['PUT', () => '/issues/1/', ({ user }) => ({ assignedTo: `user:${user}` })],
    ['PUT', () => '/issues/1/', () => ({ assignedTo: 'rival@example.com' })],
    ['PUT', () => '/issues/1/', ({ team }) => ({ assignedTo: `team:${team}` })],
    ['PUT', () => '/issues/1/', () => ({ assignedTo: '#theirs' })],
    ['POST', () => '/organizations/acme/issues/bulk/', () => ({ ids: ['2'], change: { status: 'resolved' } })],
    ['POST', () => '/organizations/acme/issues/bulk/', () => ({ ids: ['SECRET-1'], change: { delete: true } })],
    [
      'POST',
      () => '/organizations/acme/issues/bulk/',
      () => ({ project: [String(other.project)], change: { status: 'resolved' } }),
    ],
    ['GET', ({ job }) => `/organizations/acme/issues/bulk/${job}/`],
    ['POST', ({ job }) => `/organizations/acme/issues/bulk/${job}/undo/`],
    ['DELETE', ({ job }) => `/organizations/acme/issues/bulk/${job}/`],
    ['DELETE', () => '/organizations/acme/issues/?id=2'],
    ['DELETE', () => '/projects/acme/web/issues/?id=2'],
    ['GET', ({ team }) => `/teams/acme/${team}/`],
    ['GET', ({ team }) => `/teams/acme/${team}/members/`],
    ['PUT', () => '/teams/acme/theirs/', () => ({ name: 'Ours' })],
    ['DELETE', () => '/teams/acme/theirs/'],
    ['POST', () => '/organizations/acme/teams/', ({ member }) => ({ name: 'Ours', members: [member] })],
    ['POST', () => '/organizations/acme/teams/', () => ({ name: 'Ours', projects: [String(other.project)] })],
    ['POST', ({ team }) => `/projects/acme/web/teams/${team}/`],
    ['POST', ({ team }) => `/organizations/acme/members/me/teams/${team}/`],
    ['PUT', ({ member }) => `/organizations/acme/members/${member}/`, () => ({ role: 'member' })],
    ['DELETE', ({ member }) => `/organizations/acme/members/${member}/`],
    ['POST', () => '/organizations/acme/members/', () => ({ email: 'a@example.com', teams: ['theirs'] })],
    ['PUT', ({ file }) => `/projects/acme/web/codeowners/${file}/`, () => ({ raw: '' })],
    ['DELETE', ({ file }) => `/projects/acme/web/codeowners/${file}/`],
    ['POST', () => '/projects/acme/web/ownership/test/', () => ({ issue: '2' })],
    ['PUT', () => '/projects/acme/web/ownership/', () => ({ raw: 'path:* #theirs' })],
    ['PUT', () => '/projects/acme/web/ownership/', () => ({ raw: 'path:* rival@example.com' })],
    ['PUT', () => '/issues/1/comments/1/', () => ({ text: 'mine' })],
    ['GET', () => '/issues/2/comments/'],
    ['GET', () => '/issues/2/owners/'],
    ['PUT', ({ channel }) => `/organizations/acme/channels/${channel}/`, () => ({ name: 'mine' })],
    ['DELETE', ({ channel }) => `/organizations/acme/channels/${channel}/`],
    ['POST', ({ channel }) => `/organizations/acme/channels/${channel}/test/`],
    [
      'POST',
      () => '/organizations/acme/channels/test/',
      ({ channel }) => ({ type: 'slack', config: {}, id: String(channel) }),
    ],
    [
      'POST',
      () => '/organizations/acme/alert-rules/',
      ({ channel }) => ({
        kind: 'issue',
        name: 'x',
        conditions: [{ type: 'new_issue' }],
        channelIds: [String(channel)],
      }),
    ],
    [
      'POST',
      () => '/organizations/acme/alert-rules/',
      () => ({
        kind: 'issue',
        name: 'x',
        conditions: [{ type: 'new_issue' }],
        projectIds: [String(other.project)],
      }),
    ],
    ['GET', ({ rule }) => `/organizations/acme/alert-rules/${rule}/`],
    ['GET', ({ rule }) => `/organizations/acme/alert-rules/${rule}/history/`],
    ['DELETE', ({ rule }) => `/organizations/acme/alert-rules/${rule}/`],
    ['GET', () => `/organizations/acme/sessions/?project=${other.project}`],
    ['GET', () => `/organizations/acme/feedback/?project=${other.project}`],
    ['GET', () => `/projects/acme/web/events/${other.eventId}/attachments/1-1-${'0'.repeat(16)}/`],
    ['GET', () => '/organizations/acme/issues/?query=assigned%3Arival%40example.com'],
  ])('%s %s', async (method, url, body) => {
    const payload = body?.(their);
    const answer = await api.call({ method, url: `${apiPrefix}${url(their)}`, ...(payload && { payload }) });
    expect(answer.statusCode, answer.body).toBeOneOf([400, 404]);
    expect(answer.body).not.toMatch(/ours alone|Secret/);
  });

  test('have changed nothing', async () => {
    const issue = await api.state.db.selectFrom('issue').selectAll().where('id', '=', 2).executeTakeFirstOrThrow();
    expect(issue).toMatchObject({ status: 'unresolved', assignee_user_id: null });
    const team = await api.state.db.selectFrom('team').selectAll().where('slug', '=', 'theirs').execute();
    expect(team).toMatchObject([{ name: 'Theirs' }]);
    expect(await api.state.db.selectFrom('team_member').selectAll().execute()).toEqual([]);
    const { length } = await api.state.db.selectFrom('channel').selectAll().where('name', '=', 'Ops').execute();
    expect(length).toBe(1);
  });
});

describe('a session cookie', () => {
  const put = (headers: Record<string, string>) =>
    api.app.inject({
      method: 'PUT',
      url: `${apiPrefix}/issues/1/`,
      headers: { cookie, ...headers },
      payload: { status: 'unresolved' },
    });

  test('reads from anywhere', async () => {
    const answer = await api.app.inject({ url: `${apiPrefix}/`, headers: { cookie, origin: 'https://evil.example' } });
    expect(answer.json()).toMatchObject({ user: { email: owner.email } });
  });

  test.each([
    ['Sec-Fetch-Site', { 'sec-fetch-site': 'same-origin' }],
    ['Origin and Host', { origin: 'http://localhost:7420', host: 'localhost:7420' }],
    [
      'Origin and Host behind a proxy that ends TLS',
      { origin: 'https://culprit.example', host: 'culprit.example:443' },
    ],
    ['Origin and the public address', { origin: baseUrl, host: '10.0.0.1:7420' }],
  ])('writes from our own pages, by %s', async (_, headers) => {
    expect((await put(headers)).statusCode).toBe(200);
  });

  test.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a sister site', { 'sec-fetch-site': 'same-site', origin: baseUrl }],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:81', host: 'localhost:80' }],
    ['a sandbox', { origin: 'null' }],
    ['nowhere', {}],
  ])('does not write from %s', async (_, headers) => {
    const answer = await put(headers);
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'ORIGIN_MISMATCH' });
  });

  test('counts for nothing under a foreign name', async () => {
    const foreign = { 'sec-fetch-site': 'same-origin', host: 'evil.example', origin: 'http://evil.example' };
    expect((await put(foreign)).json()).toMatchObject({ code: 'HOST_NOT_ALLOWED', status: 403 });
    const read = await api.app.inject({ url: `${apiPrefix}/`, headers: { cookie, host: 'evil.example' } });
    expect(read.json()).toMatchObject({ code: 'HOST_NOT_ALLOWED' });
  });

  test('a token needs no origin', async () => {
    const answer = await api.call({
      method: 'PUT',
      url: `${apiPrefix}/issues/1/`,
      payload: { status: 'unresolved' },
      headers: { origin: 'https://elsewhere.example' },
    });
    expect(answer.statusCode).toBe(200);
  });

  test('a member may not delete a project', async () => {
    const { organizationId } = api;
    await api.accounts.createUser({ email: 'member@example.com', password: 'member password', organizationId });
    const cookies = await api.accounts.signIn({ email: 'member@example.com', password: 'member password' });
    const answer = await api.app.inject({
      method: 'DELETE',
      url: `${apiPrefix}/projects/acme/web/`,
      headers: {
        cookie: cookies?.map((one) => one.split(';', 1)[0]).join('; ') ?? '',
        'sec-fetch-site': 'same-origin',
      },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'PERMISSION_DENIED' });
  });
});

test('who writes nothing valid hears which field', async () => {
  const answer = async (method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) =>
    (await api.call({ method, url: `${apiPrefix}${url}`, ...(payload && { payload }) })).json<{
      detail: string;
      code: string;
    }>();
  expect(await answer('GET', '/organizations/acme/issues/?limit=0')).toMatchObject({
    code: 'INPUT_INVALID',
    detail: expect.stringMatching(/^Query parameter limit: /) as string,
  });
  expect(await answer('GET', '/organizations/acme/issues/?cursor=nonsense')).toMatchObject({ code: 'CURSOR_INVALID' });
  expect(await answer('GET', '/organizations/acme/issues/?statsPeriod=soon')).toMatchObject({ code: 'INPUT_INVALID' });
  expect(await answer('PUT', '/issues/1/', { status: 'gone' })).toMatchObject({
    code: 'INPUT_INVALID',
    detail: expect.stringMatching(/^Field status: /) as string,
  });
  expect(await answer('GET', '/organizations/acme/issues/?query=is:gone')).toMatchObject({
    code: 'QUERY_INVALID',
    problems: [{ code: 'unknown-value', start: 0, end: 7 }],
  });
  expect(await answer('GET', '/nothing/here/')).toMatchObject({ code: 'NOT_FOUND', status: 404 });
  const text = await api.call({
    method: 'PUT',
    url: `${apiPrefix}/issues/1/`,
    payload: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(text.json()).toMatchObject({ code: 'INPUT_INVALID', status: 400 });
  const type = await api.call({
    method: 'PUT',
    url: `${apiPrefix}/issues/1/`,
    payload: 'status=resolved',
    headers: { 'content-type': 'text/plain' },
  });
  expect(type.json()).toMatchObject({ code: 'INPUT_INVALID', status: 400 });
});
