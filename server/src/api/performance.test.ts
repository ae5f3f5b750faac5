import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSpanRow } from '../events/test-rows.ts';
import type { SpanRow } from '../events/tables.ts';
import { hash } from '../issues/testing/stores.ts';
import { openTestApi, type TestApi } from './testing.ts';

const hourMs = 3_600_000;
const nowMs = Date.now();
let api: TestApi;
let other: number;

let made = 0;
const spanOf = (hoursAgo: number, durationMs: number, given: Partial<SpanRow> = {}): SpanRow => {
  made += 1;
  const id = hash(`span ${made}`);
  return testSpanRow({
    project_id: api.projectId,
    trace_id: id,
    span_id: id.slice(0, 16),
    started_at: (nowMs - hoursAgo * hourMs - 60_000) * 1000,
    duration_us: durationMs * 1000,
    name: 'GET /cart',
    user: `id:${made % 7}`,
    ...given,
  });
};
const several = (
  count: number,
  hoursAgo: number,
  durationMs: (index: number) => number,
  given: Partial<SpanRow> = {},
) => Array.from({ length: count }, (_, index) => spanOf(hoursAgo, durationMs(index), given));

const page = { transaction: '/shop', name: '/shop', op: 'pageload', environment: 'staging' } as const;
const child = { is_segment: 0, op: 'db', description: 'SELECT * FROM carts WHERE id = %s' } as const;

beforeAll(async () => {
  api = await openTestApi();
  const created = await api.call({
    method: 'POST',
    url: '/api/0/organizations/acme/projects/',
    payload: { name: 'Other', platform: 'node' },
  });
  other = Number(created.json<{ id: string }>().id);
  const rows = [
    // 1 to 100 ms, then ten slow ones of one server.
    ...several(100, 2, (index) => index + 1, { attributes: { 'server.address': 'web-1' } }),
    ...several(10, 2, () => 2000, { failed: 1, status: 'internal_error', attributes: { 'server.address': 'web-2' } }),
    ...several(40, 30, () => 50),
    ...several(20, 2, () => 40, child),
    ...several(5, 2, () => 10, { ...child, op: 'cache.get', description: 'cart', exclusive_us: -1 }),
    ...several(4, 3, () => 900, {
      ...page,
      numbers: { lcp: 2400, cls: 0, inp: 600 },
      attributes: { 'browser.name': 'Chrome', 'os.name': 'Android' },
    }),
    spanOf(3, 900, { ...page, numbers: { lcp: 2400 }, attributes: { 'browser.name': 'Safari', 'os.name': 'macOS' } }),
    spanOf(3, 90, { ...page, op: 'ui.webvital.inp', numbers: { inp: 600 } }),
    spanOf(3, 10, { project_id: other, transaction: 'POST /pay', release: 'pay@2' }),
  ];
  await api.events.insert('spans', rows, 'performance');
});
afterAll(() => api[Symbol.asyncDispose]());

interface Transaction {
  transaction: string;
  op: string;
  count: number;
  p95Ms: number;
  before: { count: number; p50Ms: number } | null;
}
const list = (query = ''): Promise<Transaction[]> => api.get(`/api/0/organizations/acme/transactions/?${query}`);

describe.each([
  ['hours', 'statsPeriod=24h'],
  ['days', 'statsPeriod=14d'],
  ['the spans themselves', 'statsPeriod=11h'],
])('transactions from %s', (_, range) => {
  test('throughput, percentiles, failures, apdex, users; the most time first', async () => {
    const rows = await list(range);
    expect(rows.map(({ transaction, op }) => [transaction, op])).toEqual([
      ['GET /cart', 'http.server'],
      ['/shop', 'pageload'],
      ['POST /pay', 'http.server'],
    ]);
    const [cart, shop] = rows;
    const slowOnly = range === 'statsPeriod=14d' ? 150 : 110;
    expect(cart).toMatchObject({
      count: slowOnly,
      users: 7,
      failureRate: 10 / slowOnly,
      apdex: (slowOnly - 10) / slowOnly,
    });
    expect(cart?.p95Ms).toBeGreaterThan(1980);
    expect(cart?.p95Ms).toBeLessThan(2020);
    // A web vital that stands alone is no page.
    expect(shop).toMatchObject({ count: 5, apdex: 0.5, totalMs: 4500 });
  });

  test('by project, environment, release and name', async () => {
    const names = async (query: string): Promise<string[]> =>
      (await list(`${range}&${query}`)).map((row) => row.transaction);
    expect(await names('project=other')).toEqual(['POST /pay']);
    expect(await names('environment=staging')).toEqual(['/shop']);
    expect(await names('release=pay@2')).toEqual(['POST /pay']);
    expect(await names('query=SHO')).toEqual(['/shop']);
    expect(await names("query=' OR 1=1")).toEqual([]);
  });

  test('in every order, in pages', async () => {
    for (const sort of ['count', 'failure', 'users', 'p50', 'p75', 'p99', 'apdex', 'name']) {
      expect(await list(`${range}&sort=${sort}`)).toHaveLength(3);
    }
    expect((await list(`${range}&sort=p50`))[0]?.transaction).toBe('/shop');
    expect((await list(`${range}&sort=name&limit=1&cursor=0:1:0`)).map((row) => row.transaction)).toEqual([
      'GET /cart',
    ]);
    const answer = await api.call({ url: `/api/0/organizations/acme/transactions/?${range}&limit=1` });
    expect(answer.headers['link']).toContain('rel="next"; results="true"; cursor="0:1:0"');
  });
});

test('the period before', async () => {
  const [cart, shop] = await list('statsPeriod=24h');
  expect(cart?.before).toMatchObject({ count: 40 });
  expect(cart?.before?.p50Ms).toBeCloseTo(50, -1);
  expect(shop?.before).toBeNull();
});

interface Details {
  transaction: { count: number };
  series: { count: number; p50Ms: number | null }[];
  histogram: { fromMs: number; untilMs: number; count: number }[];
  samples: { percentile: string; durationMs: number; traceId: string }[];
  examined: { whole: boolean };
}

const cart = 'project=web&transaction=GET%20/cart&op=http.server';

describe('one transaction', () => {
  test.each(['24h', '14d', '11h'])('over %s: series, histogram, samples', async (period) => {
    const found = await api.get<Details>(
      `/api/0/organizations/acme/transactions/details/?${cart}&statsPeriod=${period}`,
    );
    const count = period === '14d' ? 150 : 110;
    expect(found.transaction.count).toBe(count);
    expect(found.series.reduce((sum, bucket) => sum + bucket.count, 0)).toBe(count);
    expect(found.series.filter((bucket) => bucket.p50Ms !== null).every((bucket) => bucket.count > 0)).toBe(true);
    expect(found.histogram.reduce((sum, bar) => sum + bar.count, 0)).toBe(count);
    expect(found.histogram.find((bar) => bar.untilMs > 2000 && bar.fromMs <= 2000)?.count).toBe(10);
    expect(found.examined.whole).toBe(true);
    const slow = found.samples.filter((sample) => sample.percentile === 'p99');
    expect(slow).toHaveLength(5);
    expect(slow[0]).toMatchObject({ durationMs: 2000 });
    expect(found.samples.some((sample) => sample.percentile === 'p50')).toBe(true);
  });

  test('what it spends its time with', async () => {
    const found = await api.get<{ operations: Record<string, unknown>[] }>(
      `/api/0/organizations/acme/transactions/operations/?${cart}`,
    );
    expect(found.operations).toMatchObject([
      { op: 'db', description: 'SELECT * FROM carts WHERE id = %s', count: 20, totalMs: 2400 },
      { op: 'cache.get', count: 5, totalMs: 50 },
    ]);
  });

  test('what the slow ones share', async () => {
    const found = await api.get<{ slowMs: number; tags: { key: string; value: string; lift: number }[] }>(
      `/api/0/organizations/acme/transactions/tags/?${cart}&slowMs=1000`,
    );
    expect(found.tags).toEqual([{ key: 'server.address', value: 'web-2', count: 10, slow: 10, lift: 11 }]);
  });

  test('that was not seen is not found', async () => {
    const answer = await api.call({
      url: '/api/0/organizations/acme/transactions/details/?project=web&transaction=none',
    });
    expect(answer.statusCode).toBe(404);
    expect(
      (await api.call({ url: `/api/0/organizations/acme/transactions/details/?${cart}&project=-1` })).statusCode,
    ).toBe(400);
  });
});

test('web vitals by page, browser and device', async () => {
  const vitals = (query = ''): Promise<{ name: string; vitals: Record<string, unknown>[]; score: number }[]> =>
    api.get(`/api/0/organizations/acme/vitals/?${query}`);
  const [shop] = await vitals();
  expect(shop).toMatchObject({ name: '/shop', count: 5, project: { slug: 'web' } });
  expect(shop?.vitals.map(({ vital, count, good, poor }) => [vital, count, good, poor])).toEqual([
    ['lcp', 5, 5, 0],
    ['inp', 5, 0, 5],
    ['cls', 4, 4, 0],
  ]);
  // The p50 of the curve scores 50; nothing shifts scores 100.
  expect(shop?.vitals[0]?.['score']).toBeCloseTo(50, 4);
  expect(shop?.vitals[2]?.['score']).toBe(100);
  expect((await vitals('by=device')).map(({ name }) => name).toSorted()).toEqual(['', 'desktop', 'mobile']);
  expect((await vitals('by=browser&transaction=/shop')).map(({ name }) => name).toSorted()).toEqual([
    '',
    'Chrome',
    'Safari',
  ]);
  expect(await vitals('statsPeriod=24h')).toEqual(await vitals());
  expect(await vitals('environment=production')).toEqual([]);
});

test('what a deleted project had is gone', async () => {
  const left = async (): Promise<unknown> => {
    const tables = ['spans', 'transaction_hours', 'transaction_days'];
    const counts = tables.map((table) => `(SELECT count() FROM ${table} WHERE project_id = {project:UInt64})`);
    return (await api.events.query(`SELECT ${counts.join(' + ')} AS rows`, { project: other }))[0];
  };
  expect(await left()).toEqual({ rows: 3 });
  const answer = await api.call({ method: 'DELETE', url: '/api/0/projects/acme/other/' });
  expect(answer.statusCode).toBeLessThan(300);
  await expect.poll(left, { timeout: 15_000 }).toEqual({ rows: 0 });
});
