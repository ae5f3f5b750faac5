/** What scripts ask of Sentry's API and no client here does: keys, people, environments, commits, numbers; field by field. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../domains/issues/testing/stores.ts';
import { createProject } from '../domains/projects/index.ts';
import { createTeam } from '../domains/teams/index.ts';
import { openTestApi, owner, type TestApi } from './testing.ts';

let api: TestApi;
const org = '/organizations/acme';
const sha = 'c0ffee'.padEnd(40, '7');
const minute = Math.floor(Date.now() / 60_000) * 60_000;

async function ask<T = Record<string, unknown>>(path: string, token?: string): Promise<{ status: number; body: T }> {
  const answer = await api.call({ method: 'GET', url: `/api/0${path}`, ...(token !== undefined && { token }) });
  return { status: answer.statusCode, body: answer.json<T>() };
}
const get = async <T = Record<string, unknown>>(path: string): Promise<T> => {
  const { status, body } = await ask<T>(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

beforeAll(async () => {
  api = await openTestApi();
  const { state, organizationId, projectId, userId } = api;
  const { project } = await createProject(state, { organizationId, name: 'Other' });
  const team = { name: 'Shop', slug: 'shop', projectIds: [projectId], userIds: [userId] };
  await createTeam(state, organizationId, team, Date.now());
  await createTeam(state, organizationId, { ...team, slug: 'rest', projectIds: [project.id], userIds: [] }, Date.now());
  const row = (project_id: number, environment: string) => errorRow({ project_id, group_hash: hash('a'), environment });
  await store(api, [row(projectId, 'production'), row(projectId, 'production'), row(projectId, 'staging')]);
  await store(api, [row(project.id, 'elsewhere')]);
  const outcome = (project_id: number, category: string, what: string, quantity: number) => ({
    project_id,
    minute,
    category,
    outcome: what,
    reason: what === 'accepted' ? '' : 'why',
    quantity,
  });
  const rows = [
    outcome(projectId, 'error', 'accepted', 5),
    outcome(projectId, 'error', 'rate_limited', 3),
    outcome(projectId, 'error', 'filtered', 2),
    outcome(projectId, 'transaction', 'accepted', 7),
    outcome(project.id, 'error', 'accepted', 1),
  ];
  await api.events.insert('outcomes', rows as never, 'reads');
  const made = await api.call({
    method: 'POST',
    url: `/api/0${org}/repos/`,
    payload: { provider: 'github', url: 'https://github.com/acme/shop' },
  });
  expect(made.statusCode).toBe(201);
  const release = {
    version: 'shop@1',
    projects: ['web'],
    commits: [
      {
        id: sha,
        repository: 'acme/shop',
        message: 'Prices come from the new service',
        author_name: 'Kim Lee',
        author_email: 'kim.lee@example.com',
        timestamp: '2026-01-02T03:00:00.000Z',
        patch_set: [
          { path: 'src/price.ts', type: 'M' },
          { path: 'src/old.ts', type: 'D' },
        ],
      },
    ],
  };
  const answer = await api.call({ method: 'POST', url: `/api/0${org}/releases/`, payload: release });
  expect(answer.statusCode, answer.body).toBe(201);
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

test('keys: one, and those of all projects or a team’s', async () => {
  const [key] = await get<{ id: string; public: string; projectId: number }[]>('/projects/acme/web/keys/');
  for (const name of [key?.id, key?.public]) expect(await get(`/projects/acme/web/keys/${name}/`)).toEqual(key);
  expect((await ask('/projects/acme/other/keys/1/')).status).toBe(404);
  const all = await get<{ projectId: number }[]>(`${org}/project-keys/`);
  expect(all.map(({ projectId }) => projectId).toSorted()).toContain(api.projectId);
  expect(all.length).toBeGreaterThan(1);
  expect(await get(`${org}/project-keys/?team=shop`)).toEqual([key]);
  expect(await get(`${org}/project-keys/?status=inactive`)).toEqual([]);
  expect(await get<object[]>(`${org}/project-keys/?limit=1`)).toHaveLength(1);
  expect((await ask(`${org}/project-keys/?team=none`)).status).toBe(404);
});

test('people: one, those of a project, and the teams of who asks', async () => {
  const [self] = await get<{ id: string }[]>(`${org}/members/`);
  expect(self).toMatchObject({ email: owner.email, teams: ['shop'] });
  for (const name of ['me', self?.id]) expect(await get(`${org}/members/${name}/`)).toEqual(self);
  expect((await ask(`${org}/members/nobody/`)).status).toBe(404);
  expect((await ask(`${org}/members/invite-999/`)).status).toBe(404);
  expect(await get('/projects/acme/web/members/')).toEqual([self]);
  expect(await get('/projects/acme/other/members/')).toEqual([]);
  expect(await get(`${org}/user-teams/`)).toMatchObject([
    { slug: 'shop', name: 'Shop', memberCount: 1, isMember: true, projects: [{ slug: 'web' }] },
  ]);
});

test('environments of one project', async () => {
  const all = await get<{ name: string }[]>('/projects/acme/web/environments/');
  expect(all).toEqual([
    { id: 'production', name: 'production', isHidden: false, lastSeen: expect.any(String) as string },
    { id: 'staging', name: 'staging', isHidden: false, lastSeen: expect.any(String) as string },
  ]);
  expect(await get('/projects/acme/web/environments/staging/')).toEqual(all[1]);
  expect(await get('/projects/acme/web/environments/?visibility=hidden')).toEqual([]);
  expect((await ask('/projects/acme/web/environments/elsewhere/')).status).toBe(404);
});

test('values of a field in one project', async () => {
  const values = await get<object[]>('/projects/acme/web/tags/environment/values/');
  expect(values).toMatchObject([
    { value: 'production', name: 'production', count: 2 },
    { value: 'staging', count: 1 },
  ]);
  expect(await get('/projects/acme/other/tags/environment/values/')).toMatchObject([{ value: 'elsewhere' }]);
});

test('commits of a repository, and the files of a release', async () => {
  const author = { name: 'Kim Lee', email: 'kim.lee@example.com' };
  const [repository] = await get<{ id: string }[]>(`${org}/repos/`);
  expect(await get(`${org}/repos/${repository?.id}/commits/`)).toMatchObject([
    {
      id: sha,
      message: 'Prices come from the new service',
      author,
      dateCreated: '2026-01-02T03:00:00.000Z',
      repository: { name: 'acme/shop' },
    },
  ]);
  expect((await ask(`${org}/repos/999/commits/`)).status).toBe(404);
  const file = (filename: string, type: string) => ({
    id: `${sha}:${filename}`,
    filename,
    type,
    commitMessage: 'Prices come from the new service',
    author,
    dateCreated: '2026-01-02T03:00:00.000Z',
    repository: 'acme/shop',
  });
  expect(await get(`${org}/releases/shop@1/commitfiles/`)).toMatchObject([
    file('src/old.ts', 'D'),
    file('src/price.ts', 'M'),
  ]);
  expect((await ask(`${org}/releases/none/commitfiles/`)).status).toBe(404);
});

describe('numbers of what was sent', () => {
  test('of each project, by category and outcome', async () => {
    const { projects } = await get<{ projects: { slug: string; stats: object[] }[] }>(
      `${org}/stats-summary/?statsPeriod=24h&field=sum(quantity)`,
    );
    const of = (slug: string) => projects.find((one) => one.slug === slug)?.stats;
    expect(of('web')).toHaveLength(2);
    expect(of('web')).toContainEqual({
      category: 'error',
      outcomes: { accepted: 5, rate_limited: 3, filtered: 2 },
      totals: { 'sum(quantity)': 10, dropped: 5 },
    });
    expect(of('web')).toContainEqual({
      category: 'transaction',
      outcomes: { accepted: 7 },
      totals: { 'sum(quantity)': 7, dropped: 0 },
    });
    expect(of('other')).toMatchObject([{ category: 'error', outcomes: { accepted: 1 } }]);
    const some = await get<{ projects: { stats: object[] }[] }>(
      `${org}/stats-summary/?project=web&category=error&outcome=filtered`,
    );
    expect(some.projects).toMatchObject([{ slug: 'web', stats: [{ outcomes: { filtered: 2 } }] }]);
    expect((await ask(`${org}/stats-summary/?project=none`)).status).toBe(404);
  });

  test.each([
    ['received', 10],
    ['rejected', 3],
    ['blacklisted', 2],
    ['generated', 5],
  ])('of one, over time: %s', async (stat, sum) => {
    const since = Math.floor(Date.now() / 1000) - 7200;
    const points = await get<[number, number][]>(`/projects/acme/web/stats/?stat=${stat}&since=${since}&resolution=1h`);
    expect(points.reduce((all, [, count]) => all + count, 0)).toBe(sum);
    expect(points.length).toBeLessThanOrEqual(4);
    for (const [at] of points) expect(at % 3600).toBe(0);
  });

  test('dropped and accepted, as one knows them apart', async () => {
    const asked = `${org}/events-dropped/?dataset=errors&project=web&statsPeriod=2h`;
    const { droppedEvents, acceptedEvents, interval } = await get<{
      droppedEvents: { start: number; end: number }[];
      acceptedEvents: object[];
      interval: number;
    }>(asked);
    expect(interval).toBe(3600);
    expect(acceptedEvents).toMatchObject([
      { outcome: 'accepted', reason: 'accepted', category: 'error', count: 5, tags: [] },
    ]);
    expect(droppedEvents).toHaveLength(2);
    expect(droppedEvents).toContainEqual(
      expect.objectContaining({ outcome: 'filtered', reason: 'why', count: 2, tags: ['intentional'] }),
    );
    expect(droppedEvents).toContainEqual(
      expect.objectContaining({ outcome: 'rate_limited', reason: 'why', count: 3, tags: ['unintentional'] }),
    );
    for (const { start, end } of droppedEvents) expect(end - start).toBe(interval);
    const { droppedEvents: limited } = await get<{ droppedEvents: object[] }>(`${asked}&outcome=rate_limited`);
    expect(limited).toHaveLength(1);
    expect((await ask(`${org}/events-dropped/?dataset=replays`)).status).toBe(400);
  });

  test('nonsense is refused', async () => {
    for (const query of ['stat=all', 'since=x', 'since=-1', 'resolution=1w', 'since=2&until=1']) {
      expect([query, (await ask(`/projects/acme/web/stats/?${query}`)).status]).toEqual([query, 400]);
    }
  });
});

test('organisation tokens are listed, made and deleted, and no others are', async () => {
  const url = `/api/0${org}/org-auth-tokens/`;
  // The token of these tests may not build, so it may not let others do so.
  expect((await api.call({ method: 'POST', url, payload: { name: 'ci' } })).statusCode).toBe(403);
  const by = await api.makeToken('org:admin', 'org:ci');
  const made = (await api.call({ method: 'POST', url, payload: { name: 'ci' }, token: by })).json<{
    id: string;
    token: string;
  }>();
  expect(made).toMatchObject({ name: 'ci', scopes: ['org:ci'], token: expect.stringMatching(/^sntrys_/) as string });
  const { token, ...shown } = made;
  const listed = async () => (await ask<object[]>(`${org}/org-auth-tokens/`, by)).body;
  const remove = async (id: string | undefined) =>
    (await api.call({ method: 'DELETE', url: `${url}${id}/`, token: by })).statusCode;
  expect(await listed()).toEqual([shown]);
  const own = (await get<{ id: string; kind: string }[]>(`${org}/api-tokens/`)).find(({ kind }) => kind === 'user');
  expect(await remove(own?.id)).toBe(404);
  expect(await remove(made.id)).toBe(204);
  expect(await listed()).toEqual([]);
  expect((await api.call({ method: 'POST', url, payload: { name: ' ' }, token: by })).statusCode).toBe(400);
  expect((await api.call({ method: 'GET', url, token })).statusCode).toBe(401);
});

test('strangers, and tokens without the scope, read none of it', async () => {
  const releases = await api.makeToken('project:releases');
  const paths = [
    '/projects/acme/web/keys/1/',
    `${org}/project-keys/`,
    `${org}/members/me/`,
    '/projects/acme/web/members/',
    `${org}/user-teams/`,
    '/projects/acme/web/environments/',
    '/projects/acme/web/environments/production/',
    `${org}/stats-summary/`,
    '/projects/acme/web/stats/',
    '/projects/acme/web/tags/environment/values/',
    '/projects/acme/web/releases/shop@1/files/',
  ];
  for (const path of paths) {
    expect([path, (await ask(path, '')).status]).toEqual([path, 401]);
    expect([path, (await ask(path, releases)).status]).toEqual([path, 403]);
    expect([path, (await ask(path.replace('acme', 'rival'))).status]).toEqual([path, 404]);
  }
  expect(api.errors).toEqual([]);
});
