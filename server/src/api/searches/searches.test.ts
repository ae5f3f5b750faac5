/** Saved and recent searches, and what completion is made of. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { createProject } from '../../domains/projects/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

let api: TestApi;
let otherProject: number;
const org = '/api/0/organizations/acme';
const dayMs = 86_400_000;

beforeAll(async () => {
  api = await openTestApi();
  const { state, organizationId } = api;
  otherProject = (await createProject(state, { organizationId, name: 'Other', platform: 'node' })).project.id;
  const event = (overrides: Partial<Parameters<typeof errorRow>[0]>) =>
    errorRow({ project_id: api.projectId, group_hash: hash('one'), ...overrides });
  await store(api, [
    event({
      release: 'shop@1.0.0',
      tags: { 'browser.name': 'Firefox', level: 'a tag' },
      user_email: 'ada@example.com',
    }),
    event({
      release: 'shop@2.0.0',
      tags: { 'browser.name': 'Mobile Safari', "it's {x:String}": 'odd' },
      level: 'warning',
    }),
    event({ release: 'shop@2.0.0', tags: { 'browser.name': 'Mobile Safari' }, environment: 'staging' }),
    event({ release: 'old', timestamp: Date.now() - 40 * dayMs, tags: { 'only.then': 'x' } }),
    event({ project_id: otherProject, group_hash: hash('two'), release: 'api@1', tags: { queue: 'mail' } }),
  ]);
  await api.events.insert(
    'spans',
    [
      testSpanRow({
        project_id: api.projectId,
        op: 'db',
        attributes: { 'db.system.name': 'postgresql', tenant: 'blue' },
        numbers: { rows: 7 },
      }),
    ],
    'spans of the searches test',
  );
});
afterAll(() => api?.[Symbol.asyncDispose]());

interface Field {
  key: string;
  kind: string;
  type: string;
  totalValues: number | null;
}
interface Value {
  value: string;
  count: number;
}
const fields = (query = '') => api.get<Field[]>(`${org}/tags/?${query}`);
const values = async (key: string, query = '') =>
  (await api.get<Value[]>(`${org}/tags/${encodeURIComponent(key)}/values/?${query}`)).map(({ value, count }) => [
    value,
    count,
  ]);

describe('fields', () => {
  test('those of the table, then tags of the data, most used first', async () => {
    const found = await fields('project=web');
    const tags = found.filter(({ kind }) => kind === 'tag');
    expect(tags.map(({ key, totalValues }) => [key, totalValues])).toEqual([
      ['browser.name', 3],
      ["it's {x:String}", 1],
      ['tags[level]', 1],
    ]);
    expect(found[0]?.kind).toBe('field');
    expect(found.find(({ key }) => key === 'release')).toMatchObject({
      kind: 'field',
      type: 'text',
      totalValues: null,
    });
    expect((await fields('project=other')).filter(({ kind }) => kind === 'tag').map(({ key }) => key)).toEqual([
      'queue',
    ]);
    expect((await fields('project=web&statsPeriod=90d')).map(({ key }) => key)).toContain('only.then');
  });

  test('of spans: attributes, measurements and aggregates', async () => {
    const found = await fields('dataset=spans');
    expect(found.filter(({ kind }) => kind === 'tag').map(({ key }) => key)).toContain('tenant');
    expect(found.find(({ key }) => key === 'tags[rows,number]')).toMatchObject({
      kind: 'measurement',
      type: 'number',
      totalValues: 1,
    });
    expect(found.filter(({ kind }) => kind === 'function').map(({ key }) => key)).toContain('count');
  });
});

describe('values', () => {
  test('of columns and tags alike, most frequent first, within projects, environments and time', async () => {
    expect(await values('release', 'project=web')).toEqual([
      ['shop@2.0.0', 2],
      ['shop@1.0.0', 1],
    ]);
    expect(await values('browser.name')).toEqual([
      ['Mobile Safari', 2],
      ['Firefox', 1],
    ]);
    expect(await values('browser.name', 'environment=staging')).toEqual([['Mobile Safari', 1]]);
    expect((await values('release', 'statsPeriod=90d')).map(([value]) => value)).toContain('old');
    expect(await values('release', 'project=other')).toEqual([['api@1', 1]]);
    expect((await values('environment')).map(([value]) => value)).toEqual(['production', 'staging']);
    expect(await values('user.email')).toEqual([['ada@example.com', 1]]);
    expect(await values('error.type', 'project=other')).toEqual([['TypeError', 1]]);
    expect(await values('tags[level]')).toEqual([['a tag', 1]]);
    expect((await values('project')).map(([value]) => value)).toEqual(['web', 'other']);
    expect(await values('project.name', 'query=OTH')).toEqual([['other', 1]]);
    expect(await values("it's {x:String}")).toEqual([['odd', 1]]);
  });

  test('that have the text in them, those that begin with it first', async () => {
    expect(await values('browser.name', 'query=SAFARI')).toEqual([['Mobile Safari', 2]]);
    expect((await values('release', 'query=s&limit=1')).map(([value]) => value)).toEqual(['shop@2.0.0']);
    expect(await values('release', `query=${encodeURIComponent("%' OR 1 --")}`)).toEqual([]);
  });

  test('of spans', async () => {
    expect(await values('span.op', 'dataset=spans')).toEqual([['db', 1]]);
    expect(await values('tenant', 'dataset=spans')).toEqual([['blue', 1]]);
  });

  test('of what has none to choose from, there are none', async () => {
    expect(await values('timestamp')).toEqual([]);
    expect(await values('no such tag')).toEqual([]);
    expect(await values('count()')).toEqual([]);
    expect(await values('\0\uFFFD')).toEqual([]);
    const unknown = await api.call({ method: 'GET', url: `${org}/tags/release/values/?project=nowhere` });
    expect(unknown.json()).toMatchObject({ code: 'NOT_FOUND' });
  });
});

interface Saved {
  id: string;
  name: string;
  canChange: boolean;
  isPinned: boolean;
}

describe('saved searches', () => {
  const call = (method: 'POST' | 'PUT' | 'DELETE', path: string, payload?: object, token?: string) =>
    api.call({ method, url: `${org}/searches/${path}`, ...(payload && { payload }), token });

  test('are made, changed, shared, pinned and deleted', async () => {
    const made = await call('POST', '', { name: ' Checkout ', query: 'transaction:/checkout', isPinned: true });
    expect(made.statusCode).toBe(201);
    const saved = made.json<Saved>();
    expect(saved).toMatchObject({
      name: 'Checkout',
      type: 'issues',
      visibility: 'owner',
      isPinned: true,
      canChange: true,
      state: null,
      owner: { id: api.userId },
    });
    const changed = await call('PUT', `${saved.id}/`, {
      name: 'Payments',
      visibility: 'organization',
      isPinned: false,
    });
    expect(changed.json()).toMatchObject({ name: 'Payments', query: 'transaction:/checkout', isPinned: false });
    expect(await api.get(`${org}/searches/?type=explore`)).toEqual([]);
    expect((await api.get<Saved[]>(`${org}/searches/`)).map(({ name }) => name)).toEqual(['Payments']);
    expect((await call('DELETE', `${saved.id}/`)).statusCode).toBe(204);
    expect((await call('DELETE', `${saved.id}/`)).json()).toMatchObject({ code: 'NOT_FOUND' });
    expect((await call('PUT', 'x/', {})).statusCode).toBe(404);
  });

  test('what is too large or has no name is refused; who only reads saves nothing', async () => {
    expect((await call('POST', '', { name: ' ', query: '' })).statusCode).toBe(400);
    expect((await call('POST', '', { name: 'x', query: 'x'.repeat(4097) })).statusCode).toBe(400);
    const state = { columns: 'x'.repeat(20_000) };
    expect((await call('POST', '', { name: 'x', query: '', type: 'explore', state })).statusCode).toBe(400);
    const reader = await api.makeToken('event:read');
    expect((await call('POST', '', { name: 'x', query: '' }, reader)).json()).toMatchObject({ code: 'SCOPE_MISSING' });
  });
});

test('recent searches: each once, the latest first', async () => {
  const note = (query: string) => api.call({ method: 'POST', url: `${org}/recent-searches/`, payload: { query } });
  for (const query of ['level:error', 'x OR y', ' level:error ']) expect((await note(query)).statusCode).toBe(204);
  expect((await note('  ')).statusCode).toBe(400);
  const recent = await api.get<{ query: string; type: string }[]>(`${org}/recent-searches/`);
  expect(recent.map(({ query }) => query)).toEqual(['level:error', 'x OR y']);
  expect(await api.get(`${org}/recent-searches/?type=explore`)).toEqual([]);
});
