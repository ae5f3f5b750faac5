/** Counts of errors in Explore after a storm: where they may be off, the answer says how far. */
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { noteReleases } from '../../domains/releases/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';
import { org, pairs, path, type Query, type Row } from './testing.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
  const row = (name: string, stands_for: number, release: string) => ({
    ...errorRow({ project_id: api.projectId, group_hash: hash(name), title: name, error_value: name, release }),
    stands_for,
  });
  const group = (name: string, release: string) => Array.from({ length: 40 }, () => row(name, 9, release));
  await store(api, [...group('one', 'shop@1'), ...group('other', 'shop@2'), row('rare', 0, 'shop@3')]);
}, 60_000);
afterAll(() => api?.[Symbol.asyncDispose]());

interface Table {
  data: Row[];
  meta: { estimated?: { intervals: Record<string, [number, number]>[] } };
}
const table = (query: Query): Promise<Table> =>
  api.get(path('events', pairs({ dataset: 'errors', statsPeriod: '1h', ...query })));

test('a count of a part says how far it may be off', async () => {
  const { data, meta } = await table({ field: ['release', 'count()'], sort: 'release' });
  expect(data.map((row) => row['count()'])).toEqual([400, 400, 1]);
  // 1.96 * sqrt(40 * 90 + 90) = 119.1.
  expect(meta.estimated?.intervals).toEqual([{ 'count()': [280, 520] }, { 'count()': [280, 520] }, {}]);
  const searched = await table({ field: ['count()'], query: 'release:shop@1' });
  expect(searched.meta.estimated?.intervals).toEqual([{ 'count()': [280, 520] }]);
});

test('so does a rate, and a count of what fulfils a condition, of a whole project as well', async () => {
  const field = ['epm()', 'count_if(release,equals,shop@1)', 'count(release)', 'count_if(release,equals,shop@3)'];
  const { data, meta } = await table({ field });
  expect(data[0]).toMatchObject({ 'count_if(release,equals,shop@1)': 400, 'count_if(release,equals,shop@3)': 1 });
  expect(meta.estimated?.intervals).toEqual([
    { 'count_if(release,equals,shop@1)': [280, 520], 'count(release)': [633, 969] },
  ]);
  const rates = await table({ field: ['release', 'epm()'], sort: 'release' });
  expect(rates.meta.estimated?.intervals[0]?.['epm()']).toEqual([280 / 60, 520 / 60]);
});

test('over time each point says it, in both shapes of series', async () => {
  const asked = { dataset: 'errors', statsPeriod: '1h', interval: '1h', yAxis: ['count()', 'epm()'] };
  interface Flat {
    timeSeries: { yAxis: string; groupBy: Row[] | null; values: { value: number; interval?: [number, number] }[] }[];
  }
  const flat: Flat = await api.get(
    path('events-timeseries', pairs({ ...asked, topEvents: '3', groupBy: 'release', sort: 'release' })),
  );
  const found = flat.timeSeries.flatMap(({ yAxis, values }) =>
    values.flatMap(({ value, interval }) => (value > 0 ? [[yAxis, value, interval]] : [])),
  );
  expect(found).toEqual([
    ['count()', 400, [280, 520]],
    ['epm()', 400 / 60, [280 / 60, 520 / 60]],
    ['count()', 400, [280, 520]],
    ['epm()', 400 / 60, [280 / 60, 520 / 60]],
    ['count()', 1, undefined],
    ['epm()', 1 / 60, undefined],
  ]);
  const stats: { data: [number, [{ count: number; interval?: [number, number] }]][] } = await api.get(
    path('events-stats', pairs({ ...asked, yAxis: 'count()', query: 'release:shop@1' })),
  );
  expect(stats.data.flatMap(([, [point]]) => (point.count > 0 ? [point] : []))).toEqual([
    { count: 400, interval: [280, 520] },
  ]);
  const whole: Flat = await api.get(path('events-timeseries', pairs(asked)));
  expect(JSON.stringify(whole)).not.toContain('"interval":[');
});

test('of a whole project it is right, and so are counts without a storm', async () => {
  const whole = await table({ field: ['count()'] });
  expect(whole).toMatchObject({ data: [{ 'count()': 801 }] });
  expect(whole.meta.estimated).toBeUndefined();
  const calm = await table({ field: ['release', 'count()'], query: 'release:shop@3' });
  expect(calm.meta.estimated).toBeUndefined();
});

test('how many there are is told beside how many are stored', async () => {
  const count = (query: Query): Promise<Row> => api.get(path('events-meta', pairs({ statsPeriod: '1h', ...query })));
  expect(await count({})).toEqual({ count: 81, represents: { count: 801, interval: null } });
  const ofPart = { count: 40, represents: { count: 400, interval: [280, 520] } };
  expect(await count({ query: 'release:shop@1' })).toEqual(ofPart);
  expect(await count({ query: 'release:shop@3' })).toEqual({ count: 1 });
});

test('the list of issues, one issue and its brief say the same', async () => {
  const list = await api.get<{ title: string; shortId: string; count: string; estimated: Row | null }[]>(
    `${org}/issues/?query=`,
  );
  const found = Object.fromEntries(list.map(({ title, count, estimated }) => [title, { count, estimated }]));
  expect(found).toEqual({
    one: { count: '400', estimated: { low: 280, high: 520 } },
    other: { count: '400', estimated: { low: 280, high: 520 } },
    rare: { count: '1', estimated: null },
  });
  const name = list.find(({ title }) => title === 'one')?.shortId ?? '';
  expect(await api.get(`${org}/issues/${name}/`)).toMatchObject({
    storedCount: 40,
    estimated: { low: 280, high: 520, reasons: [{ reason: 'storm', count: 360 }] },
  });
  const shared = await api.call({ method: 'PUT', url: `${org}/issues/${name}/`, payload: { isPublic: true } });
  const { shareId } = shared.json<{ shareId: string }>();
  expect(await api.get(`/api/0/shared/issues/${shareId}/`)).toMatchObject({
    count: '400',
    estimated: { low: 280, high: 520 },
  });
  const brief = await api.call({ method: 'GET', url: `${org}/issues/${name}/brief/?format=markdown` });
  expect(brief.body).toContain('about 400 events (280–520), ');
});

test('so do releases, and the places that errors of the last hour come from', async () => {
  const at = Date.now() - 60_000;
  const seen = ['shop@1', 'shop@3'].map((release) => ({
    projectId: api.projectId,
    release,
    firstSeen: at,
    lastSeen: at,
  }));
  await noteReleases(api.state, seen, at);
  const releases = await api.get<{ version: string; eventCount: number; estimated: Row | null }[]>(`${org}/releases/`);
  expect(Object.fromEntries(releases.map((one) => [one.version, [one.eventCount, one.estimated]]))).toEqual({
    'shop@1': [400, { low: 280, high: 520 }],
    'shop@3': [1, null],
  });
  const now = await api.get<{ hotspots: Row[]; totals: { errors: Row } }>(`${org}/now/`);
  expect(now.totals.errors).toMatchObject({ now: 801, estimated: null });
  // 1.96 * sqrt(80 * 90 + 90) = 167.4.
  const interval = { low: 633, high: 969 };
  expect(now.hotspots[0]).toMatchObject({ count: 801, estimated: interval });
  const ofPart = await api.get<{ totals: { errors: Row } }>(`${org}/now/?environment=production`);
  expect(ofPart.totals.errors).toMatchObject({ now: 801, estimated: interval });
});

test('a file of groups has columns for it, where some are estimates', async () => {
  const file = async (question: object): Promise<string> => {
    const payload = { format: 'csv', question: { dataset: 'errors', statsPeriod: '1h', ...question } };
    const started = await api.call({ method: 'POST', url: `${org}/data-export/`, payload });
    expect(started.statusCode, started.body).toBe(201);
    const url = `${org}/data-export/${started.json<{ id: string }>().id}/`;
    await vi.waitFor(async () => expect(await api.get(url)).toMatchObject({ status: 'done' }), 20_000);
    return (await api.call({ url: `${url}?download=true` })).body;
  };
  expect(await file({ field: ['release', 'count()'], sort: ['release'] })).toBe(
    ['release,count(),count() low,count() high', 'shop@1,400,280,520', 'shop@2,400,280,520', 'shop@3,1,,', ''].join(
      '\r\n',
    ),
  );
  expect(await file({ field: ['count()'] })).toBe('count()\r\n801\r\n');
});
