import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { LiveMessage } from '../../base/live.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const now = Date.now();
const minute = 60_000;
const hour = 60 * minute;

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const row = (name: string, ago: number, more: object = {}) =>
    errorRow({
      project_id: api.projectId,
      group_hash: hash(name),
      title: name,
      error_value: name,
      timestamp: now - ago,
      ...more,
    });
  await store(api, [
    row('a', 3 * hour, { release: 'web@1.0.0', user: 'id:1', user_id: '1', tags: { 'os.name': 'iOS' } }),
    row('a', minute, {
      release: `web@${'f'.repeat(40)}`,
      user: 'id:2',
      user_id: '2',
      tags: { 'os.name': 'iOS', url: '/x' },
    }),
    row('a', 2 * minute, { handled: 1, environment: 'staging', tags: { 'os.name': 'Android' } }),
    row('b', 5 * minute, { handled: 1 }),
    row('c', 10 * minute),
  ]);
});
afterAll(() => api[Symbol.asyncDispose]());

interface Issue {
  id: string;
  shortId: string;
  status: string;
  substatus: string | null;
}

const put = async (path: string, payload: object) => {
  const answer = await api.call({ method: 'PUT', url: `/api/0${path}`, payload });
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>() };
};

test("an issue in Sentry's shape", async () => {
  const [issue] = await api.get<Issue[]>('/api/0/projects/acme/web/issues/?query=');
  expect(issue).toMatchObject({
    id: '1',
    shortId: 'WEB-1',
    title: 'a',
    permalink: 'http://culprit.test/issues/WEB-1',
    status: 'unresolved',
    substatus: 'new',
    level: 'error',
    type: 'error',
    count: '3',
    userCount: 2,
    firstSeen: new Date(now - 3 * hour).toISOString(),
    lastSeen: new Date(now - minute).toISOString(),
    isUnhandled: true,
    metadata: { type: 'TypeError', value: 'a' },
    project: { id: String(api.projectId), slug: 'web', platform: 'javascript-nextjs' },
    assignedTo: null,
    lifetime: { count: '3', userCount: 2 },
  });
  const { stats } = issue as unknown as { stats: Record<string, [number, number][]> };
  expect(Object.keys(stats)).toEqual(['24h']);
  expect(stats['24h']?.reduce((sum, [, count]) => sum + count, 0)).toBe(3);
});

describe('lists', () => {
  const list = (query: string) =>
    api.get<(Issue & { stats: Record<string, unknown[]> })[]>(`/api/0/organizations/acme/issues/?${query}`);
  const shortIds = async (query: string) => (await list(query)).map(({ shortId }) => shortId);

  test('the default is unresolved, by last event', async () => {
    expect(await shortIds('')).toEqual(['WEB-1', 'WEB-2', 'WEB-3']);
    expect(await shortIds('project=web&project=-1&limit=2')).toEqual(['WEB-1', 'WEB-2']);
    expect(await shortIds('sort=freq&environment=staging')).toEqual(['WEB-1']);
    expect(await shortIds('query=error.handled:true&sort=user')).toEqual(['WEB-1', 'WEB-2']);
    expect(await shortIds('query=WEB-3')).toEqual(['WEB-3']);
    expect(await shortIds('query=WEB-3&shortIdLookup=0')).toEqual([]);
  });

  const search = (query: string, more = '') => shortIds(`query=${encodeURIComponent(query)}${more}`);

  test('alternatives over issues and events, in every order', async () => {
    const query = '(environment:staging error.handled:true) OR (timesSeen:1 !error.handled:true)';
    expect(await search(query)).toEqual(['WEB-1', 'WEB-3']);
    for (const sort of ['new', 'freq', 'user', 'trends', 'inbox', 'recommended']) {
      expect((await search(query, `&sort=${sort}`)).toSorted()).toEqual(['WEB-1', 'WEB-3']);
    }
    const [first] = await list(`query=${encodeURIComponent(query)}`);
    expect(first).toMatchObject({ count: '1', lifetime: { count: '3' } });
  });

  test('events of an issue by a search, what it asks of issues passed over', async () => {
    const events = (query: string) => api.get<object[]>(`/api/0/issues/1/events/?query=${encodeURIComponent(query)}`);
    expect(await events('os.name:iOS user.id:1 OR os.name:Android')).toHaveLength(2);
    expect(await events('is:resolved os.name:iOS')).toHaveLength(2);
    expect(await events('is:resolved OR os.name:iOS')).toHaveLength(3);
    expect(await api.get(`/api/0/issues/1/events/latest/?query=os.name:Android`)).toMatchObject({ total: 1 });
  });

  test('who is not there is a problem at its place', async () => {
    expect(await search('assigned:none')).toEqual(['WEB-1', 'WEB-2', 'WEB-3']);
    const { statusCode, body } = await api.call({
      url: `/api/0/organizations/acme/issues/?query=${encodeURIComponent('os.name:iOS assigned:nobody@example.com')}`,
    });
    expect(statusCode).toBe(400);
    expect(JSON.parse(body)).toMatchObject({
      code: 'QUERY_INVALID',
      problems: [{ code: 'unknown-value', start: 21, end: 39 }],
    });
  });

  test('the series is named after its period', async () => {
    const keys = async (query: string) => Object.keys((await list(query))[0]?.stats ?? {});
    expect(await keys('statsPeriod=7d')).toEqual(['7d']);
    expect(await keys('statsPeriod=7d&groupStatsPeriod=24h')).toEqual(['24h']);
    expect(await keys('groupStatsPeriod=auto')).toEqual(['14d']);
    expect(await keys(`start=${new Date(now - hour).toISOString()}`)).toEqual(['range']);
  });

  test("pages by Link headers in Sentry's form", async () => {
    const first = await api.call({ method: 'GET', url: '/api/0/organizations/acme/issues/?limit=2&cursor=' });
    expect(first.headers.link).toMatch(
      /^<http:\/\/culprit\.test\/api\/0\/organizations\/acme\/issues\/\?limit=2&cursor=[^>]+>; rel="previous"; results="false"; cursor="0:0:1", <[^>]+>; rel="next"; results="true"; cursor="\d+:2:0"$/,
    );
    const next =
      /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1]?.replace('http://culprit.test', '') ?? '';
    const second = await api.call({ method: 'GET', url: next });
    expect(second.json()).toMatchObject([{ shortId: 'WEB-3' }]);
    expect(second.headers.link).toMatch(/rel="previous"; results="true".*rel="next"; results="false"/);
  });
});

test('one issue, by id and short id', async () => {
  const issue = await api.get<Issue & { activity: object[] }>('/api/0/issues/1/');
  expect(issue).toMatchObject({
    shortId: 'WEB-1',
    count: '3',
    userCount: 2,
    isUnhandled: true,
    firstRelease: { version: 'web@1.0.0', shortVersion: '1.0.0' },
    lastRelease: { shortVersion: 'ffffffffffff' },
    activity: [{ type: 'first_seen', user: null }],
    tags: expect.arrayContaining([{ key: 'os.name', name: 'os.name', totalValues: 3 }]) as object[],
    hashCount: 1,
    userReportCount: 0,
  });
  expect(await api.get('/api/0/organizations/acme/issues/web-1/')).toMatchObject({ id: '1' });
  expect(await api.get('/api/0/organizations/acme/issues/web-1/?collapse=tags')).toEqual({ ...issue, tags: [] });
  const staging = await api.get<Issue>('/api/0/issues/WEB-1/?environment=staging');
  expect(staging).toMatchObject({ count: '1', userCount: 0, isUnhandled: false, lifetime: { count: '3' } });
  expect(await api.get('/api/0/organizations/acme/shortids/WEB-2/')).toMatchObject({
    groupId: '2',
    projectSlug: 'web',
    // Clients show this one, and ask no further.
    group: { title: 'b', status: 'unresolved', substatus: 'new', count: '1', project: { slug: 'web' } },
  });
  for (const id of ['99', 'WEB-99', 'NO-1', '-1', '9'.repeat(30), '%00']) {
    expect((await api.call({ method: 'GET', url: `/api/0/issues/${id}/` })).statusCode).toBe(404);
  }
});

test('tags with shares, in all events or a choice of keys', async () => {
  const tags = await api.get<{ key: string }[]>('/api/0/issues/1/tags/');
  expect(tags.find(({ key }) => key === 'os.name')).toMatchObject({
    totalValues: 3,
    uniqueValues: 2,
    events: 3,
    sampled: false,
    topValues: [
      { value: 'iOS', count: 2, share: 2 / 3 },
      { value: 'Android', count: 1 },
    ],
  });
  expect(tags.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['level', 'environment', 'release', 'user', 'handled', 'url']),
  );
  const some = await api.get<{ key: string }[]>(
    '/api/0/organizations/acme/issues/WEB-1/tags/?key=url&key=level&environment=production&limit=1',
  );
  expect(some.map(({ key }) => key)).toEqual(['level', 'url']);
});

describe('all values of a tag', () => {
  interface Value {
    value: string;
    name: string;
    count: number;
    share: number;
    id?: string;
  }
  const list = async (query: string, key = 'user') => {
    const answer = await api.call({
      method: 'GET',
      url: `/api/0/organizations/acme/issues/WEB-1/tags/${key}/values/${query}`,
    });
    return { status: answer.statusCode, values: answer.json<Value[]>(), headers: answer.headers };
  };

  test('users, with what is known of them and their share of the events that name one', async () => {
    const { values, headers } = await list('');
    expect(values).toMatchObject([
      { key: 'user', value: 'id:2', name: '2', id: '2', count: 1, share: 0.5 },
      { key: 'user', value: 'id:1', name: '1', id: '1', count: 1, share: 0.5 },
    ]);
    expect(headers).toMatchObject({ 'x-hits': '2' });
    expect(headers).not.toHaveProperty('x-sampled-events');
    expect(values[0]).not.toHaveProperty('email');
  });

  test('in the order that is asked for, page by page, within a filter', async () => {
    const names = async (query: string, key = 'os.name') => (await list(query, key)).values.map(({ value }) => value);
    expect(await names('')).toEqual(['iOS', 'Android']);
    expect(await names('?sort=-date')).toEqual(['iOS', 'Android']);
    expect(await names('?sort=age')).toEqual(['Android', 'iOS']);
    expect(await names('?query=os.name:Android')).toEqual(['Android']);
    expect(await names('?environment=production')).toEqual(['iOS']);
    expect(await names('', 'handled')).toEqual(['no', 'yes']);
    expect(await names('', 'constructor')).toEqual([]);
    const first = await list('?limit=1', 'os.name');
    expect(first.values.map(({ value }) => value)).toEqual(['iOS']);
    expect(first.headers).toMatchObject({
      'x-hits': '2',
      link: expect.stringMatching(/rel="next"; results="true"; cursor="0:1:0"/),
    });
    const second = await list('?limit=1&cursor=0:1:0', 'os.name');
    expect(second.values.map(({ value }) => value)).toEqual(['Android']);
    expect(second.headers.link).toMatch(/rel="previous"; results="true".*rel="next"; results="false"/);
    expect((await list('?sort=name')).status).toBe(400);
  });
});

test('hashes say why events were put together', async () => {
  expect(await api.get('/api/0/issues/1/hashes/')).toMatchObject([
    {
      id: hash('a'),
      basis: 'exception',
      version: 'culprit:test',
      count: 3,
      explanation: [{ id: 'type', contributes: true }],
    },
  ]);
  expect(await api.get('/api/0/organizations/acme/issues/WEB-2/hashes/')).toMatchObject([{ count: 1 }]);
});

describe('changes of status', () => {
  test('one issue: told to open screens and written down', async () => {
    const heard: LiveMessage[] = [];
    const stop = api.live.subscribe((message) => heard.push(message));
    expect((await put('/issues/WEB-2/', { status: 'resolved' })).body).toMatchObject({
      status: 'resolved',
      substatus: null,
      activity: [{ type: 'set_resolved', user: { email: 'dev@example.com' } }, { type: 'first_seen' }],
    });
    expect(heard).toEqual([{ type: 'issues', projectId: api.projectId, issueIds: [2], sameEvents: true }]);
    expect((await put('/organizations/acme/issues/2/', { status: 'ignored' })).body).toMatchObject({
      status: 'ignored',
      substatus: 'archived_forever',
    });
    expect(
      (await put('/organizations/acme/issues/2/', { status: 'archived', substatus: 'archived_forever' })).status,
    ).toBe(200);
    expect(heard).toHaveLength(2);
    stop();
    expect(await api.get('/api/0/organizations/acme/issues/?query=is:archived')).toMatchObject([{ shortId: 'WEB-2' }]);
    expect((await put('/issues/2/', { status: 'unresolved' })).body).toMatchObject({
      status: 'unresolved',
      substatus: 'ongoing',
    });
  });

  test('several, by id or by query', async () => {
    expect((await put('/organizations/acme/issues/?id=1&id=WEB-2', { status: 'resolved' })).body).toEqual({
      status: 'resolved',
      substatus: null,
      statusDetails: { actor: expect.objectContaining({ email: 'dev@example.com' }) },
      issueIds: ['1', '2'],
      undo: { id: expect.stringMatching(/^\d+$/) },
    });
    expect((await put('/projects/acme/web/issues/?query=is:resolved', { status: 'unresolved' })).body).toMatchObject({
      issueIds: ['1', '2'],
    });
    expect((await put('/projects/acme/web/issues/?query=error.value:c', { status: 'resolved' })).body).toMatchObject({
      issueIds: ['3'],
    });
    expect((await put('/projects/acme/web/issues/?id=1&id=77', { status: 'resolved' })).status).toBe(404);
    expect((await put('/projects/acme/web/issues/', { status: 'resolved' })).body).toMatchObject({
      code: 'INPUT_INVALID',
    });
    expect(await api.get('/api/0/organizations/acme/issues/?query=is:unresolved')).toMatchObject([
      { id: '1' },
      { id: '2' },
    ]);
  });
});

test('archived until more events, it says how many came so far', async () => {
  const archived = await put('/issues/2/', { status: 'ignored', statusDetails: { ignoreCount: 5 } });
  expect(archived.status).toBe(200);
  const at = Date.now() + 1_000;
  await store(
    api,
    [0, 1].map((index) =>
      errorRow({ project_id: api.projectId, group_hash: hash('b'), title: 'b', timestamp: at + index, user: 'id:9' }),
    ),
  );
  expect(await api.get('/api/0/issues/2/')).toMatchObject({
    substatus: 'archived_until_condition_met',
    statusDetails: { ignoreCount: 5, ignoreCountSoFar: 2 },
  });
});

test('first seen is of the life of an issue, whatever the range; new is what was first seen within seven days', async () => {
  const day = 24 * hour;
  const late = (ago: number) =>
    errorRow({ project_id: api.projectId, group_hash: hash('late'), title: 'late', timestamp: now - ago });
  await store(api, [late(10 * day), late(minute)]);
  const first = new Date(now - 10 * day).toISOString();
  for (const range of ['statsPeriod=24h', 'statsPeriod=1h', 'statsPeriod=24h&environment=production']) {
    const [issue] = await api.get<Issue[]>(`/api/0/organizations/acme/issues/?query=title:late&${range}`);
    expect(issue, range).toMatchObject({
      count: '1',
      firstSeen: first,
      lifetime: { count: '2', firstSeen: first },
      substatus: 'ongoing',
    });
  }
  expect(await api.get('/api/0/organizations/acme/issues/?query=title:late is:new')).toEqual([]);
  const [daily] = await api.get<(Issue & { stats: Record<string, [number, number][]> })[]>(
    '/api/0/organizations/acme/issues/?query=title:late&groupStatsPeriod=auto',
  );
  const bars = daily?.stats['14d']?.filter(([, count]) => count > 0) ?? [];
  const dayOf = (ms: number): number => (ms - (ms % day)) / 1000;
  expect(bars).toEqual([
    [dayOf(now - 10 * day), 1],
    [dayOf(now - minute), 1],
  ]);
});
