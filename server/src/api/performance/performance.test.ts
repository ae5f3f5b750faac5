import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSpanRow } from '../../ports/events/test-rows.ts';
import type { SpanRow } from '../../base/tables/spans.ts';
import { hash } from '../../domains/issues/testing/stores.ts';
import { createProject } from '../../domains/projects/index.ts';
import { openTestApi, type TestApi } from '../testing.ts';

const hourMs = 3_600_000;
const nowMs = Date.now();
let api: TestApi;
let other: number;

let made = 0;
const spanOf = (hoursAgo: number, durationMs: number, overrides: Partial<SpanRow> = {}): SpanRow => {
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
    ...overrides,
  });
};
const several = (
  count: number,
  hoursAgo: number,
  durationMs: (index: number) => number,
  overrides: Partial<SpanRow> = {},
) => Array.from({ length: count }, (_, index) => spanOf(hoursAgo, durationMs(index), overrides));

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
    ...several(10, 2, () => 2000, {
      failed: 1,
      status: 'internal_error',
      attributes: { 'server.address': 'web-2' },
      numbers: { 'sentry.sample_rate': 0.25 },
    }),
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

interface Part {
  at: number;
  count: number;
  p50Ms: number | null;
  p95Ms: number | null;
}

describe.each([
  ['hours', '24h', 110],
  ['days', '14d', 150],
  ['the spans themselves', '11h', 110],
])('all transactions together from %s', (_, period, carts) => {
  interface Series {
    bucketSeconds: number;
    totals: { count: number; p95Ms: number; users: number } | null;
    before: { count: number } | null;
    series: Part[];
    seriesBefore: Part[];
    marks: { version: string; environment: string | null }[];
  }
  const series = (query: string): Promise<Series> =>
    api.get(`/api/0/organizations/acme/transactions/series/?statsPeriod=${period}&${query}`);

  test('over time, and the period before at the same times', async () => {
    const found = await series('query=cart');
    const { totals, before } = found;
    expect(totals).toMatchObject({ count: carts, users: 7 });
    expect(totals?.p95Ms).toBeCloseTo(2000, -2);
    expect(before?.count).toBe(period === '24h' ? 40 : undefined);
    expect(found.series.map(({ at }) => at)).toEqual(found.seriesBefore.map(({ at }) => at));
    expect(found.series.reduce((sum, { count }) => sum + count, 0)).toBe(carts);
    expect(found.seriesBefore.reduce((sum, { count }) => sum + count, 0)).toBe(before?.count ?? 0);
    expect(found.series.every(({ count, p95Ms }) => (count > 0 ? p95Ms !== null : p95Ms === null))).toBe(true);
  });

  test('of nothing there is nothing', async () => {
    expect(await series('query=nowhere')).toMatchObject({ totals: null, before: null, marks: [] });
  });
});

test('what the installation measures of itself is shown where it is asked for alone', async () => {
  const { project } = await createProject(api.state, {
    organizationId: api.organizationId,
    name: 'Own',
    internal: true,
  });
  const own = { project_id: project.id, transaction: '/own', op: 'pageload', numbers: { lcp: 2000 } };
  await api.events.insert('spans', [spanOf(2, 5, own)], 'own');
  expect((await list()).map((row) => row.transaction)).not.toContain('/own');
  expect((await list(`project=${project.slug}`)).map((row) => row.transaction)).toEqual(['/own']);
  const vitals = (query: string): Promise<unknown[]> =>
    api.get(`/api/0/organizations/acme/vitals/?transaction=/own&${query}`);
  expect(await vitals('')).toEqual([]);
  expect(await vitals(`project=${project.slug}`)).toHaveLength(1);
});

test('charts mark deploys, and what was seen first', async () => {
  const rows = [
    spanOf(20, 5, { transaction: 'GET /marked', release: 'shop@2' }),
    spanOf(4, 5, { transaction: 'GET /marked', release: 'shop@3' }),
    spanOf(2, 5, { transaction: 'GET /marked', release: 'shop@4' }),
  ];
  await api.events.insert('spans', rows, 'marks');
  await api.call({
    method: 'POST',
    url: '/api/0/organizations/acme/releases/',
    payload: { version: 'shop@4', projects: ['web'] },
  });
  const deploy = (environment: string) =>
    api.call({
      method: 'POST',
      url: '/api/0/organizations/acme/releases/shop@4/deploys/',
      payload: { environment, dateFinished: new Date(nowMs - 2.5 * hourMs).toISOString() },
    });
  expect((await deploy('production')).statusCode).toBe(201);
  const { marks } = await api.get<{ marks: object[] }>(
    '/api/0/organizations/acme/transactions/details/?project=web&op=http.server&transaction=GET%20/marked&statsPeriod=24h',
  );
  expect(await api.get('/api/0/organizations/acme/deploys/?statsPeriod=24h&project=web')).toMatchObject([
    { version: 'shop@4', environment: 'production' },
  ]);
  expect(await api.get('/api/0/organizations/acme/deploys/?statsPeriod=1h')).toEqual([]);
  // The release that the range begins with is no change, and a deploy says more than a first sighting.
  expect(marks).toMatchObject([
    { version: 'shop@4', shortVersion: '4', environment: 'production' },
    { version: 'shop@3', shortVersion: '3', environment: null },
  ]);
});

interface Details {
  transaction: { count: number };
  series: Part[];
  sampledOneIn: number | null;
  histogram: { fromMs: number; untilMs: number; count: number }[];
  examined: { whole: boolean };
}

interface Samples {
  samples: { percentile: string | null; durationMs: number; traceId: string }[];
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
    expect(
      found.histogram.every((bar, index) => bar.fromMs === (found.histogram[index - 1]?.untilMs ?? bar.fromMs)),
    ).toBe(true);
    expect(found.sampledOneIn).toBe(4);
    const { samples } = await api.get<Samples>(
      `/api/0/organizations/acme/transactions/samples/?${cart}&statsPeriod=${period}`,
    );
    const slow = samples.filter((sample) => sample.percentile === 'p99');
    expect(slow).toHaveLength(5);
    expect(slow[0]).toMatchObject({ durationMs: 2000 });
    expect(samples.some((sample) => sample.percentile === 'p50')).toBe(true);
  });

  test('those of some durations and tags alone', async () => {
    const at = (part: string, query: string) => `/api/0/organizations/acme/transactions/${part}/?${cart}&${query}`;
    const some = await api.get<Samples>(at('samples', 'durationFrom=10&durationUntil=13'));
    expect(some.samples.map(({ durationMs }) => durationMs).toSorted()).toEqual([10, 11, 12]);
    expect(some.samples[0]?.percentile).toBeNull();
    const web2 = `tag=${encodeURIComponent('server.address:web-2')}`;
    const { histogram } = await api.get<Details>(at('details', web2));
    expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(10);
    for (const tag of ["server.address:web-1' OR 1", '__proto__:x', 'release:none']) {
      const none = await api.get<Samples>(at('samples', `tag=${encodeURIComponent(tag)}`));
      expect(none.samples).toEqual([]);
    }
    expect((await api.call({ url: at('samples', 'tag=server.address') })).statusCode).toBe(400);
  });

  test('what the slow ones alone spend their time with', async () => {
    const traced = (name: string, durationMs: number): SpanRow[] => {
      const trace_id = hash(name);
      const segment_id = trace_id.slice(16);
      const common = { trace_id, segment_id, transaction: 'GET /traced' };
      return [
        spanOf(2, durationMs, { ...common, span_id: segment_id }),
        spanOf(2, 3, { ...common, ...child, description: `what the ${name} did` }),
      ];
    };
    await api.events.insert('spans', [...traced('fast', 10), ...traced('slow', 2000)], 'traced');
    const operations = async (query: string): Promise<string[]> => {
      const path = `/api/0/organizations/acme/transactions/operations/?project=web&transaction=GET%20/traced&op=http.server&${query}`;
      const found = await api.get<{ operations: { description: string; longest: { traceId: string } }[] }>(path);
      return found.operations.map(({ description, longest }) => `${description} in ${longest.traceId}`);
    };
    expect(await operations('')).toHaveLength(2);
    expect(await operations('durationFrom=1000')).toEqual([`what the slow did in ${hash('slow')}`]);
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
    const found = await api.get<{
      fromMs: number;
      count: number;
      slow: number;
      tags: { key: string; value: string; lift: number }[];
    }>(`/api/0/organizations/acme/transactions/tags/?${cart}&durationFrom=1000`);
    expect(found).toMatchObject({ fromMs: 1000, count: 110, slow: 10 });
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

/** The log-normal curve through p10 and p50 at a value, in hundredths; the error function by its series. */
function scoreOf(value: number, p10: number, p50: number): number {
  const sigma = Math.abs(Math.log(p10) - Math.log(p50)) / (Math.SQRT2 * 0.9061938024368232);
  const x = (Math.log(value) - Math.log(p50)) / (Math.SQRT2 * sigma);
  let sum = 0;
  let term = x;
  for (let n = 0; n < 60; n++) {
    sum += term / (2 * n + 1);
    term *= -(x * x) / (n + 1);
  }
  return 50 * (1 - (2 / Math.sqrt(Math.PI)) * sum);
}

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
  expect(shop?.vitals[1]?.['score']).toBeCloseTo(scoreOf(600, 200, 500), 4);
  expect(shop?.vitals[2]?.['score']).toBe(100);
  expect((await vitals('by=device')).map(({ name }) => name).toSorted()).toEqual(['', 'desktop', 'mobile']);
  expect((await vitals('by=browser&transaction=/shop')).map(({ name }) => name).toSorted()).toEqual([
    '',
    'Chrome',
    'Safari',
  ]);
  const [all] = await vitals('by=all');
  expect(all).toMatchObject({ name: '', project: null, count: 5, score: shop?.score });
  expect(await vitals('statsPeriod=24h')).toEqual(await vitals());
  expect(await vitals('environment=production')).toEqual([]);
});

interface VitalsOf {
  name: string;
  score: number | null;
  rating: string | null;
  vitals: { vital: string; count: number; p75: number; score: number | null }[];
}

test('browsers are scored by what they measure', async () => {
  const measured = (browser: string, numbers: Record<string, number>): SpanRow =>
    spanOf(3, 900, { ...page, transaction: '/browsers', numbers, attributes: { 'browser.name': browser } });
  const all = { lcp: 2500, inp: 200, cls: 0.25, fcp: 1600, ttfb: 200 };
  await api.events.insert(
    'spans',
    [
      measured('Chrome', all),
      measured('Firefox', { ...all, cls: 9 }),
      measured('Mobile Safari', { ...all, lcp: 90_000, inp: 9000, cls: 9 }),
      measured('Chrome Mobile iOS', { lcp: 90_000 }),
    ],
    'browsers',
  );
  const path = '/api/0/organizations/acme/vitals/?transaction=/browsers&by=';
  const browsers = new Map((await api.get<VitalsOf[]>(`${path}browser`)).map((row) => [row.name, row]));
  const scores = (name: string) =>
    Object.fromEntries(browsers.get(name)?.vitals.map(({ vital, score }) => [vital, score && Math.round(score)]) ?? []);
  expect(scores('Chrome')).toMatchObject({ inp: 90, cls: 50, fcp: 50, ttfb: 90 });
  expect(scores('Firefox')).toMatchObject({ inp: 90, cls: null, fcp: 50, ttfb: 90 });
  expect(scores('Mobile Safari')).toMatchObject({ lcp: null, inp: null, cls: null, fcp: 50, ttfb: 90 });
  expect(browsers.get('Mobile Safari')?.score).toBeCloseTo((50 * 15 + 90 * 10) / 25, 1);
  expect(browsers.get('Chrome Mobile iOS')).toMatchObject({ score: null, rating: null });
  // What does not count is shown all the same, and does not spoil the page.
  const [whole] = await api.get<VitalsOf[]>(`${path}transaction`);
  expect(whole?.vitals.find(({ vital }) => vital === 'lcp')).toMatchObject({ count: 4 });
  expect(whole?.score).toBeCloseTo((scoreOf(2500, 1200, 2400) * 30 + 90 * 30 + 50 * 15 + 50 * 15 + 90 * 10) / 100, 1);
});

test.each(['24h', '14d'])('web vitals over %s', async (period) => {
  const found = await api.get<{ times: number[]; vitals: { vital: string; points: ({ count: number } | null)[] }[] }>(
    `/api/0/organizations/acme/vitals/series/?transaction=/shop&statsPeriod=${period}`,
  );
  expect(found.vitals.map(({ vital }) => vital)).toEqual(['lcp', 'inp', 'cls']);
  for (const { points } of found.vitals) expect(points).toHaveLength(found.times.length);
  expect(found.vitals[0]?.points.filter(Boolean)).toMatchObject([{ count: 5, p75: expect.closeTo(2400, -2) }]);
});

test('elements, interactions and resources that make the vitals of a page', async () => {
  const common = { ...page, transaction: '/causes' } as const;
  const load = (name: string, lcp: number, late: boolean): SpanRow[] => {
    const trace_id = hash(name);
    const segment_id = trace_id.slice(16);
    const of = { ...common, trace_id, segment_id };
    const paint = {
      numbers: { lcp, 'browser.web_vital.lcp.size': 5000 },
      attributes: {
        'browser.web_vital.lcp.element': 'body > img',
        'browser.web_vital.lcp.url': 'https://cdn.example.com/hero.jpg?v=1',
      },
    };
    const start = (nowMs - 3 * hourMs) * 1000;
    const resource = { ...of, is_segment: 0, op: 'resource.img', numbers: { 'http.response.size': 9000 } } as const;
    return [
      // SDKs up to 10 send the paint with the page, later ones in a span of its own.
      spanOf(3, lcp, { ...of, span_id: segment_id, started_at: start, ...(late ? {} : paint) }),
      ...(late ? [spanOf(3, 0, { ...of, is_segment: 0, op: 'ui.webvital.lcp', ...paint })] : []),
      spanOf(3, 800, { ...resource, description: '/hero.jpg', started_at: start + 100_000 }),
      spanOf(3, 900, { ...resource, description: '/footer.jpg', started_at: start + lcp * 1000 + 1 }),
      spanOf(3, 90, {
        ...of,
        is_segment: 0,
        op: 'ui.interaction.click',
        name: 'Click',
        numbers: { inp: 300 },
        attributes: { 'browser.web_vital.inp.target': 'body > button#buy' },
      }),
      spanOf(3, 0, {
        ...of,
        is_segment: 0,
        op: 'ui.webvital.cls',
        numbers: { cls: 0.2 },
        attributes: { 'browser.web_vital.cls.source.1': 'body > aside', 'browser.web_vital.cls.source.2': 'body > p' },
      }),
    ];
  };
  // One of an SDK that names such spans by their element.
  const old = spanOf(3, 80, {
    ...common,
    is_segment: 0,
    op: 'ui.interaction.press',
    name: 'form > input',
    numbers: { inp: 80 },
  });
  await api.events.insert('spans', [...load('new', 3000, true), ...load('old', 2000, false), old], 'causes');
  const found = await api.get<{
    pageLoads: number;
    elements: { vital: string; element: string; detail: string; count: number; size: number }[];
    resources: object[];
    samples: { vital: string; value: number; traceId: string }[];
  }>('/api/0/organizations/acme/vitals/causes/?project=web&transaction=/causes');
  const elements = found.elements.map(({ vital, element, detail, count }) => [vital, element, detail, count]);
  expect(elements).toEqual([
    ['cls', 'body > aside', '', 2],
    ['cls', 'body > p', '', 2],
    ['inp', 'body > button#buy', 'click', 2],
    ['inp', 'form > input', 'press', 1],
    ['lcp', 'body > img', 'https://cdn.example.com/hero.jpg', 2],
  ]);
  expect(found.elements.at(-1)?.size).toBe(5000);
  expect(found.pageLoads).toBe(2);
  expect(found.resources).toMatchObject([{ description: '/hero.jpg', count: 2, bytes: 9000, blocking: false }]);
  const paints = found.samples.filter(({ vital }) => vital === 'lcp');
  expect(paints.map(({ value, traceId }) => [value, traceId])).toEqual([
    [3000, hash('new')],
    [2000, hash('old')],
  ]);
});

test('what a deleted project had is gone', async () => {
  const left = async (): Promise<unknown> => {
    const tables = ['spans', 'segments', 'transaction_hours', 'transaction_days'];
    const counts = tables.map((table) => `(SELECT count() FROM ${table} WHERE project_id = {project:UInt64})`);
    return (await api.events.query(`SELECT ${counts.join(' + ')} AS rows`, { project: other }))[0];
  };
  expect(await left()).toEqual({ rows: 4 });
  const answer = await api.call({ method: 'DELETE', url: '/api/0/projects/acme/other/' });
  expect(answer.statusCode).toBeLessThan(300);
  await expect.poll(left, { timeout: 15_000 }).toEqual({ rows: 0 });
});
