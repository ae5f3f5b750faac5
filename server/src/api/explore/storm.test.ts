/** Counts of errors in Explore after a storm: where they may be off, the answer says how far. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
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

test('of a whole project it is right, and so are counts without a storm', async () => {
  const whole = await table({ field: ['count()'] });
  expect(whole).toMatchObject({ data: [{ 'count()': 801 }] });
  expect(whole.meta.estimated).toBeUndefined();
  const calm = await table({ field: ['release', 'count()'], query: 'release:shop@3' });
  expect(calm.meta.estimated).toBeUndefined();
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
  const brief = await api.call({ method: 'GET', url: `${org}/issues/${name}/brief/?format=markdown` });
  expect(brief.body).toContain('about 400 events (280–520), ');
});
