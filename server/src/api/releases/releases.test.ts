/** Releases as sentry-cli, the bundler plugins and the console ask for them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { noteReleases } from '../../domains/releases/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const org = '/api/0/organizations/acme';
const call = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, token?: string) => {
  const answer = await api.call({ method, url, ...(payload && { payload }), token });
  return { status: answer.statusCode, body: (answer.body ? answer.json() : undefined) as Record<string, unknown> };
};

const commit = (number: number, path: string, type = 'M') => ({
  id: hash(`commit ${number}`).padEnd(40, '0'),
  repository: 'origin',
  message: `change ${number}\n`,
  author_name: number % 2 ? 'Ada Dev' : 'Bob Dev',
  author_email: number % 2 ? 'ada@example.com' : 'bob@example.com',
  timestamp: `2026-01-0${number}T10:00:00Z`,
  patch_set: [{ path, type }],
});

test('the calls of a build in their order', async () => {
  const request = { version: 'web@5.6.7', projects: ['web'] };
  const made = await call('POST', `${org}/releases/`, {
    ...request,
    url: 'https://ci.example.com/1',
    dateStarted: '2026-11-21T03:04:16.243133311Z',
  });
  expect(made).toMatchObject({
    status: 201,
    body: {
      version: 'web@5.6.7',
      status: 'open',
      url: 'https://ci.example.com/1',
      dateStarted: '2026-11-21T03:04:16.243Z',
      dateReleased: null,
      newGroups: 0,
      commitCount: 0,
      lastCommit: null,
      lastEvent: null,
      projects: [{ slug: 'web', name: 'Web' }],
    },
  });
  expect((await call('POST', `${org}/releases/`, request)).status).toBe(208);
  expect(await call('GET', `${org}/releases/web@5.6.7/previous-with-commits/`)).toEqual({ status: 200, body: {} });

  const commits = [commit(3, 'src/c.ts'), commit(2, 'src/b.ts'), commit(1, 'src/a.ts', 'A')];
  const set = await call('PUT', `${org}/releases/web%405.6.7/`, { commits });
  expect(set).toMatchObject({
    status: 200,
    body: {
      commitCount: 3,
      lastCommit: { id: commits[0]?.id, message: 'change 3\n' },
      authors: [{ name: 'Ada Dev', email: 'ada@example.com' }, { name: 'Bob Dev' }],
    },
  });
  const listed = await api.get<object[]>(`${org}/releases/web@5.6.7/commits/?cursor=`);
  expect(listed).toMatchObject([
    { id: commits[0]?.id, dateCreated: '2026-01-03T10:00:00.000Z', files: [{ path: 'src/c.ts', type: 'M' }] },
    {},
    { files: [{ path: 'src/a.ts', type: 'A' }] },
  ]);
  // Sent again they are replaced, not added.
  await call('PUT', `${org}/releases/web@5.6.7/`, { commits: commits.slice(0, 2) });
  expect(await api.get<object[]>(`${org}/releases/web@5.6.7/commits/`)).toHaveLength(2);

  const final = await call('PUT', `${org}/releases/web@5.6.7/`, {
    projects: ['web'],
    dateReleased: '2026-11-21T03:04:16.595515147Z',
  });
  expect(final.body).toMatchObject({ dateReleased: '2026-11-21T03:04:16.595Z' });

  const deploy = {
    environment: 'production',
    name: 'deploy 1',
    url: 'https://deploy.example.com',
    dateStarted: '2026-11-21T03:04:05.271083304Z',
    dateFinished: '2026-11-21T03:04:17.271083304Z',
  };
  const deployed = await call('POST', `${org}/releases/web@5.6.7/deploys/`, deploy);
  expect(deployed).toMatchObject({
    status: 201,
    body: { ...deploy, dateStarted: '2026-11-21T03:04:05.271Z', dateFinished: '2026-11-21T03:04:17.271Z' },
  });
  expect(await api.get(`${org}/releases/web@5.6.7/deploys/`)).toEqual([deployed.body]);

  await call('POST', `${org}/releases/`, { version: 'web@5.6.8', projects: ['web'] });
  const refs = [{ repository: 'acme/shop', commit: 'b'.repeat(40), previousCommit: null }];
  expect((await call('PUT', `${org}/releases/web@5.6.8/`, { refs })).body).toMatchObject({
    lastCommit: { id: 'b'.repeat(40) },
  });
  expect(await api.get(`${org}/releases/web@5.6.8/previous-with-commits/`)).toMatchObject({
    version: 'web@5.6.7',
    lastCommit: { id: commits[0]?.id },
  });
  expect(await api.get(`${org}/releases/web@5.6.8/`)).toMatchObject({
    previous: { version: 'web@5.6.7', commitCount: 2 },
    next: null,
    refs,
  });
  expect(await api.get('/api/0/projects/acme/web/releases/')).toMatchObject([
    { version: 'web@5.6.8' },
    { version: 'web@5.6.7', deployCount: 1, lastDeploy: { environment: 'production' } },
  ]);

  await call('POST', `${org}/releases/`, { version: 'web@5.6.8', projects: [], status: 'archived' });
  expect(await api.get(`${org}/releases/?query=5.6.8`)).toEqual([]);
  expect(await api.get(`${org}/releases/?query=5.6.8&status=archived`)).toMatchObject([{ status: 'archived' }]);
  await call('POST', `${org}/releases/`, { version: 'web@5.6.8', projects: [], status: 'open' });
  expect(await api.get(`${org}/releases/?query=WEB@5.6.8`)).toMatchObject([{ status: 'open' }]);

  expect((await call('DELETE', `${org}/releases/web@5.6.8/`)).status).toBe(204);
  expect((await call('DELETE', `${org}/releases/web@5.6.8/`)).status).toBe(404);
  for (const [method, url] of [
    ['GET', '/'],
    ['PUT', '/'],
    ['POST', '/deploys/'],
    ['GET', '/previous-with-commits/'],
    ['GET', '/commits/'],
  ] as const) {
    const payload = method === 'GET' ? undefined : { environment: 'production' };
    expect((await call(method, `${org}/releases/web@5.6.8${url}`, payload)).status, url).toBe(404);
  }
});

test('what is no release is refused in words', async () => {
  for (const [payload, words] of [
    [{ version: 'a/b' }, 'slashes'],
    [{ version: 'latest' }, 'not a valid release name'],
    [{ version: 'x'.repeat(201) }, 'at most 200'],
    [{ version: 'v1', status: 'gone' }, 'open or archived'],
    [{ version: 'v1', dateReleased: 'soon' }, 'dateReleased'],
    [{ version: 'v1', commits: [{ id: '' }] }, 'commits'],
  ] as const) {
    const { status, body } = await call('POST', `${org}/releases/`, payload);
    expect(status, JSON.stringify(payload).slice(0, 80)).toBe(400);
    expect(body['detail']).toContain(words);
  }
  const unknown = await call('POST', `${org}/releases/`, { version: 'v1', projects: ['nope'] });
  expect(unknown).toMatchObject({ status: 404, body: { detail: 'Project nope not found.' } });
  expect(await api.get(`${org}/releases/?query=v1`)).toEqual([]);
});

test('scopes: a token for builds makes and reads releases, and does no more', async () => {
  const build = await api.makeToken('project:releases');
  expect((await call('POST', `${org}/releases/`, { version: 'scoped@1.0.0' }, build)).status).toBe(201);
  expect((await call('GET', `${org}/releases/scoped@1.0.0/`, undefined, build)).status).toBe(200);
  expect((await call('GET', `${org}/repos/`, undefined, build)).status).toBe(200);
  expect((await call('POST', `${org}/repos/`, { url: 'https://github.com/a/b' }, build)).status).toBe(403);
  const ci = await api.makeToken('org:ci');
  expect((await call('PUT', `${org}/releases/scoped@1.0.0/`, { dateReleased: '2026-01-01' }, ci)).status).toBe(200);
  const reader = await api.makeToken('project:read');
  expect((await call('DELETE', `${org}/releases/scoped@1.0.0/`, undefined, reader)).body).toMatchObject({
    code: 'SCOPE_MISSING',
  });
});

test('what Culprit has none of is an empty list', async () => {
  expect(await api.get(`${org}/monitors/?cursor=`)).toEqual([]);
});

const frames = [
  { filename: '../../node_modules/react/index.js', lineno: 1, in_app: false },
  { filename: '../../src/cart/price.ts', function: 'getPrice', lineno: 42, in_app: true, context_line: 'x' },
];
const payload = (release: string, stack: object[] = frames) =>
  JSON.stringify({
    release,
    exception: { values: [{ type: 'TypeError', value: 'x', stacktrace: { frames: stack } }] },
  });

test('an issue, the commits that it may come from, and where its source is', async () => {
  const { projectId } = api;
  const groupHash = hash('suspect');
  const now = Date.now();
  const row = (release: string, at: number) =>
    errorRow({ project_id: projectId, group_hash: groupHash, release, timestamp: at, payload: payload(release) });
  await store(api, [row('shop@2.0.0', now - 5_000), row('shop@2.1.0', now)]);
  await noteReleases(
    api.state,
    [
      { projectId, release: 'shop@2.0.0', firstSeen: now - 5_000, lastSeen: now - 5_000, environment: 'production' },
      { projectId, release: 'shop@2.1.0', firstSeen: now, lastSeen: now, environment: 'production' },
    ],
    now,
  );
  const [issue] = await api.get<{ id: string }[]>(`${org}/issues/?query=release:shop@2.0.0`);
  const url = `${org}/issues/${issue?.id ?? ''}`;
  expect(await api.get(url)).toMatchObject({
    firstRelease: { version: 'shop@2.0.0', dateCreated: new Date(now - 5_000).toISOString() },
    lastRelease: { version: 'shop@2.1.0' },
  });
  const suspects = () => api.get<{ commits: object[]; problem: object | null }>(`${url}/suspect-commits/`);
  expect(await suspects()).toMatchObject({ commits: [], problem: { code: 'no_commits' } });

  const [old, other, culprit] = [
    commit(1, 'web/src/cart/price.ts'),
    commit(2, 'README.md'),
    commit(4, 'web/src/cart/price.ts'),
  ];
  await call('POST', `${org}/releases/`, { version: 'shop@1.9.0', projects: ['web'], commits: [old] });
  await call('PUT', `${org}/releases/shop@2.0.0/`, { commits: [culprit, other, old] });
  expect(await suspects()).toMatchObject({
    problem: null,
    release: { version: 'shop@2.0.0' },
    since: { version: 'shop@1.9.0' },
    commits: [
      {
        id: culprit.id,
        file: 'web/src/cart/price.ts',
        certainty: 'suffix',
        url: null,
        frame: { filename: '../../src/cart/price.ts', function: 'getPrice', lineNo: 42 },
      },
    ],
  });

  const suggestion = { repoName: 'origin', stackRoot: '../../', sourceRoot: 'web/', file: 'web/src/cart/price.ts' };
  const suggestions = '/api/0/projects/acme/web/code-mapping-suggestions/';
  expect(await api.get(suggestions)).toMatchObject([{ ...suggestion, frames: 1 }]);

  const repo = await call('POST', `${org}/repos/`, { url: 'https://github.com/acme/shop.git', defaultBranch: 'main' });
  expect(repo).toMatchObject({
    status: 201,
    body: { name: 'acme/shop', url: 'https://github.com/acme/shop', provider: { id: 'integrations:github' } },
  });
  expect(await api.get(`${org}/repos/`)).toMatchObject([{ name: 'acme/shop' }]);
  expect(await api.get(`${org}/repos/?all=1`)).toMatchObject([{ name: 'acme/shop' }, { name: 'origin' }]);
  expect(await api.get(suggestions)).toMatchObject([{ ...suggestion, repoName: 'acme/shop' }]);

  const mapping = await call('POST', `${org}/code-mappings/`, {
    project: 'web',
    repoId: repo.body['id'],
    stackRoot: '../../',
    sourceRoot: 'web/',
  });
  expect(mapping).toMatchObject({ status: 201, body: { projectSlug: 'web', repoName: 'acme/shop' } });
  expect(await suspects()).toMatchObject({ commits: [{ id: culprit.id, certainty: 'mapped' }] });
  expect(await api.get(suggestions)).toEqual([]);

  const line = (commit: string) => `https://github.com/acme/shop/blob/${commit}/web/src/cart/price.ts#L42`;
  const links = async (which: string) => {
    const event = await api.get<{
      entries: { type: string; data: { values: { stacktrace: { frames: { sourceLink: string | null }[] } }[] } }[];
    }>(`${url}/events/${which}/`);
    return event.entries[0]?.data.values[0]?.stacktrace.frames.map((frame) => frame.sourceLink);
  };
  expect(await links('oldest')).toEqual([null, line(culprit.id)]);
  expect(await links('latest')).toEqual([null, line('main')]);

  const event = await api.get<{ eventID: string }>(`${url}/events/latest/`);
  expect(await api.get(`/api/0/projects/acme/web/events/${event.eventID}/committers/`)).toMatchObject({
    committers: [{ author: { email: 'bob@example.com' }, commits: [{ id: culprit.id }] }],
  });

  expect(await api.get(`${org}/releases/?sort=new&project=web`)).toMatchObject([
    { version: 'shop@2.0.0', newGroups: 1, eventCount: 1, commitCount: 3, environments: ['production'] },
    {},
    {},
    {},
  ]);
  const ofEnvironment = await api.get<object[]>(`${org}/releases/?environment=production`);
  expect(ofEnvironment).toMatchObject([{ version: 'shop@2.1.0' }, { version: 'shop@2.0.0', eventCount: 1 }]);
  expect(await api.get(`${org}/releases/?environment=staging`)).toEqual([]);
  expect(await api.get(`${org}/releases/shop@2.0.0/?environment=staging`)).toMatchObject({ eventCount: 0 });
});

test('repositories and code mappings: changed, refused, deleted', async () => {
  const made = await call('POST', `${org}/repos/`, {
    name: 'tools',
    provider: 'other',
    url: 'https://code.example.com/tools/',
    linkTemplate: 'https://code.example.com/tools?f={path}&l={line}',
  });
  const id = String(made.body['id']);
  expect(made.body).toMatchObject({ provider: { id: 'git' }, url: 'https://code.example.com/tools' });
  expect((await call('POST', `${org}/repos/`, { name: 'tools', url: 'https://x.example/y' })).body).toMatchObject({
    code: 'SLUG_TAKEN',
  });
  for (const bad of ['javascript:alert(1)', 'ftp://x/y', '/etc', 'https://'])
    expect((await call('POST', `${org}/repos/`, { url: bad })).status, bad).toBe(400);
  expect((await call('PUT', `${org}/repos/${id}/`, { linkTemplate: 'https://x.example/' })).status).toBe(400);
  expect((await call('PUT', `${org}/repos/${id}/`, { name: 'acme/tools', linkTemplate: null })).body).toMatchObject({
    name: 'acme/tools',
    linkTemplate: null,
  });
  const request = { project: 'web', repoId: id, stackRoot: 'app:///', sourceRoot: '' };
  const mapping = await call('POST', `${org}/code-mappings/`, request);
  expect((await call('POST', `${org}/code-mappings/`, request)).body).toMatchObject({ code: 'SLUG_TAKEN' });
  const mappingUrl = `${org}/code-mappings/${String(mapping.body['id'])}/`;
  expect((await call('PUT', mappingUrl, { sourceRoot: 'lib/', defaultBranch: 'next' })).body).toMatchObject({
    stackRoot: 'app:///',
    sourceRoot: 'lib/',
    defaultBranch: 'next',
  });
  expect((await call('DELETE', mappingUrl)).status).toBe(204);
  expect((await call('DELETE', mappingUrl)).status).toBe(404);
  expect((await call('DELETE', `${org}/repos/${id}/`)).status).toBe(204);
  expect((await call('GET', `${org}/repos/?query=tools`)).body).toEqual([]);
});

test('releases of what the installation reports of itself are left out, unless it is asked for', async () => {
  const now = Date.now();
  const made = await call('POST', `${org}/projects/`, { name: 'Itself', platform: 'node' });
  const project = made.body as { id: string; slug: string };
  const id = Number(project.id);
  const settings = JSON.stringify({ internal: true });
  await api.state.db.updateTable('project').set({ settings }).where('id', '=', id).execute();
  await noteReleases(
    api.state,
    [{ projectId: id, release: 'own@1', environment: '', firstSeen: now, lastSeen: now }],
    now,
  );
  const versions = async (query = '') =>
    (await api.get<{ version: string }[]>(`/api/0/organizations/acme/releases/${query}`)).map(({ version }) => version);
  expect(await versions()).not.toContain('own@1');
  expect(await versions(`?project=${project.slug}`)).toEqual(['own@1']);
});
