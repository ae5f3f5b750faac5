/** Questions about so many spans that they may be answered from a sample: from when on, how, and which are not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorRow, hash, store } from '../../domains/issues/testing/stores.ts';
import { drawSample, stretchSql } from '../../domains/explore/estimate/sample.ts';
import { openTestApi, type TestApi } from '../testing.ts';
import { org, pairs, path, type Query, type Row } from './testing.ts';

const rows = 60_000;
const limits = { exactRows: 10_000, stretches: 128, stretchRows: 64 };
const allowed = { dataset: 'spans', statsPeriod: '2d', sampling: 'allow' } as const;

type Interval = [number | string | null, number | string | null];
interface Sampled {
  share: number;
  intervals: Record<string, Interval>[];
}
interface Table {
  data: Row[];
  meta: { fields: Row; sampling?: Sampled };
}
interface Series {
  meta: { sampling?: { share: number } };
  timeSeries: {
    yAxis: string;
    groupBy: { value: string }[] | null;
    values: { timestamp: number; value: number | null; interval?: Interval }[];
    meta: { isOther: boolean; interval: number };
  }[];
}

let api: TestApi;
const table = (query: Query): Promise<Table> => api.get(path('events', pairs({ ...allowed, ...query })));
const series = (query: Query): Promise<Series> => api.get(path('events-timeseries', pairs({ ...allowed, ...query })));
const count = (query: Query): Promise<{ count: number; meta?: { sampling: Row } }> =>
  api.get(path('events-meta', pairs({ ...allowed, ...query })));

/** Yesterday, whole: the engine parts days, and the draw is by place. Whenever this runs, the same rows are drawn. */
const yesterday = 'toStartOfDay(now()) - INTERVAL 1 DAY';

/** A day of spans in bursts of a hundred of one route, a fifth of them of the database, one in fifty failed. */
beforeAll(async () => {
  api = await openTestApi({ sampling: limits });
  await api.events.command(
    `INSERT INTO spans (project_id, trace_id, span_id, started_at, duration_us, op, name, transaction, failed, service, attributes)
     SELECT ${api.projectId}, lower(hex(MD5(toString(intDiv(number, 5))))), lower(hex(sipHash64(number))),
       ${yesterday} + toIntervalMillisecond(number * 1400),
       toUInt64(1000 * exp(3 * sipHash64(number, 1) / 18446744073709551616.)) AS duration_us,
       if(number % 5 = 0, 'db', 'http.client'), 'span', concat('GET /', toString(sipHash64(intDiv(number, 100)) % 7)),
       sipHash64(number, 2) % 50 = 0, if(intDiv(number, 1000) % 3 = 0, 'api', 'web'),
       map('region', if(sipHash64(number, 3) % 4 = 0, 'eu', 'us'), 'user.id', toString(number % 900))
     FROM numbers(${rows})`,
  );
});
afterAll(() => api[Symbol.asyncDispose]());

const holds = ([low, high]: Interval, truth: unknown): boolean =>
  (typeof low !== 'number' || low <= Number(truth)) && (typeof high !== 'number' || Number(truth) <= high);

describe('a table', () => {
  const field = [
    'transaction',
    'count()',
    'epm()',
    'sum(span.duration)',
    'avg(span.duration)',
    'p95(span.duration)',
    'failure_rate()',
    'count_if(span.op, equals, db)',
  ];

  test('is of all rows unless a sample is asked for', async () => {
    const { data, meta } = await table({ sampling: '', field });
    expect(meta.sampling).toBeUndefined();
    expect(data.reduce((sum, row) => sum + Number(row['count()']), 0)).toBe(rows);
  });

  test('is estimated, with intervals that hold what is so', async () => {
    const exact = await table({ sampling: '', field });
    const { data, meta } = await table({ field });
    expect(meta.sampling?.share).toBeCloseTo(2 / 14, 3);
    expect(meta.fields).toEqual(exact.meta.fields);
    expect(data).toHaveLength(7);
    const held = data.flatMap((row, index) => {
      const truth = exact.data.find((one) => one['transaction'] === row['transaction']) ?? {};
      const intervals = meta.sampling?.intervals[index] ?? {};
      expect(Object.keys(intervals)).toEqual(field.slice(1));
      return Object.entries(intervals).map(([name, interval]) => holds(interval, truth[name]));
    });
    expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(0.9);
    const counts = meta.sampling?.intervals.map((one) => one['count()']) ?? [];
    for (const [index, [low, high] = [null, null]] of counts.entries()) {
      const value = Number(data[index]?.['count()']);
      expect(Number(low)).toBeLessThan(value);
      expect(Number(high)).toBeGreaterThan(value);
      expect(Number(high)).toBeLessThan(3 * value);
    }
  });

  test('of all rows together, in shapes as of exact ones', async () => {
    const { data, meta } = await table({ field: ['count()', 'failure_count()'], query: 'region:eu' });
    expect(data).toHaveLength(1);
    expect(meta.sampling?.intervals).toHaveLength(1);
    expect(Number.isInteger(data[0]?.['count()'])).toBe(true);
  });

  test('says of what is the greatest of the sample that there may be greater ones', async () => {
    const { data, meta } = await table({
      field: ['count()', 'max(span.duration)', 'min(span.duration)', 'last_seen()'],
    });
    const [row = {}] = data;
    expect(meta.sampling?.intervals[0]).toMatchObject({
      'max(span.duration)': [row['max(span.duration)'], null],
      'min(span.duration)': [null, row['min(span.duration)']],
      'last_seen()': [row['last_seen()'], null],
    });
  });

  test.each<[string, Query]>([
    ['different values', { field: ['service', 'count_unique(user.id)'] }],
    ['conditions on groups', { field: ['service', 'count()'], query: 'count():>10' }],
    ['the smallest first', { field: ['service', 'count()'], sort: 'count()' }],
    ['an order of groups by what they are', { field: ['service', 'count()'], sort: '-service' }],
    ['a later page', { field: ['transaction', 'count()'], cursor: '0:2:0' }],
    ['rows themselves', { field: ['span.op'] }],
    ['hardly any rows', { field: ['count()'], query: 'user.id:7 transaction:"GET /1"' }],
  ])('is of all rows for %s', async (_, query) => {
    const { data, meta } = await table(query);
    expect(meta.sampling).toBeUndefined();
    expect(data).toEqual((await table({ ...query, sampling: '' })).data);
  });

  test('another word is refused', async () => {
    const answer = await api.call({ url: path('events', pairs({ ...allowed, sampling: 'always' })) });
    expect(answer.statusCode).toBe(400);
  });
});

describe('errors', () => {
  const names = ['TypeError', 'RangeError'];

  /** Of two issues, the second of which has two hashes. */
  beforeAll(async () => {
    const event = (name: string, overrides = {}) =>
      errorRow({
        project_id: api.projectId,
        group_hash: hash(name),
        event_id: hash(`${name} first`),
        timestamp: Math.floor(Date.now() / 86_400_000) * 86_400_000 - 3_600_000,
        error_type: name,
        ...overrides,
      });
    await store(
      api,
      names.map((name) => event(name)),
    );
    await store(api, [
      event('RangeError', {
        group_hash: hash('again'),
        group_hashes: [hash('again'), hash('RangeError')],
        event_id: hash('x'),
      }),
    ]);
    await api.events.command(
      `INSERT INTO errors (project_id, group_hash, timestamp, event_id, level, tags)
       SELECT ${api.projectId}, ['${hash('TypeError')}', '${hash('RangeError')}', '${hash('again')}'][1 + number % 3],
         ${yesterday} + toIntervalSecond(number), lower(hex(MD5(toString(number)))), if(number % 10 = 0, 'fatal', 'error'),
         map('plan', if(number % 4 = 0, 'paid', 'free'))
       FROM numbers(30000)`,
    );
  });

  test('by issue are of all the hashes of it, by tag are estimated', async () => {
    const asked = { dataset: 'errors', field: ['issue', 'plan', 'count()', 'count_if(level, equals, fatal)'] };
    const [exact, { data, meta }] = [await table({ ...asked, sampling: '' }), await table(asked)];
    expect(meta.sampling).toBeDefined();
    const keyOf = (row: Row): string => `${String(row['issue'])} ${String(row['plan'])}`;
    const truth = new Map(exact.data.map((row) => [keyOf(row), row]));
    const great = data.filter((row) => Number(row['count()']) > 1000);
    expect(great.map(keyOf).toSorted()).toEqual(['WEB-1 free', 'WEB-1 paid', 'WEB-2 free', 'WEB-2 paid']);
    for (const [index, row] of data.entries()) {
      for (const [name, interval] of Object.entries(meta.sampling?.intervals[index] ?? {})) {
        expect(holds(interval, truth.get(keyOf(row))?.[name]), `${keyOf(row)} ${name}`).toBe(true);
      }
    }
  });
});

describe('series', () => {
  test('are estimated, bucket by bucket, with intervals', async () => {
    const asked = { yAxis: ['count()', 'p50(span.duration)'], groupBy: 'service', topEvents: '1', interval: '4h' };
    const [exact, estimated] = [await series({ ...asked, sampling: '' }), await series(asked)];
    expect(exact.meta.sampling).toBeUndefined();
    expect(exact.timeSeries[0]?.values[0]).not.toHaveProperty('interval');
    expect(estimated.meta.sampling?.share).toBeGreaterThan(0.1);
    const shapeOf = ({ timeSeries }: Series) => timeSeries.map(({ yAxis, groupBy, meta }) => [yAxis, groupBy, meta]);
    expect(shapeOf(estimated)).toEqual(shapeOf(exact));
    const held = estimated.timeSeries.flatMap(({ values }, line) =>
      values.flatMap(({ interval, timestamp }, index) => {
        const truth = exact.timeSeries[line]?.values[index];
        expect(truth?.timestamp).toBe(timestamp);
        expect(interval).toHaveLength(2);
        return interval && truth?.value ? [holds(interval, truth.value)] : [];
      }),
    );
    expect(held.length).toBeGreaterThan(10);
    expect(held.filter(Boolean).length / held.length).toBeGreaterThanOrEqual(0.9);
  });

  test('have longer buckets than exact ones, and none where those asked for are too many', async () => {
    const asked = { yAxis: 'count()', query: 'service:web' };
    const lengthOf = ({ timeSeries }: Series): number => Number(timeSeries[0]?.meta.interval);
    const [exact, estimated] = [await series({ ...asked, sampling: '' }), await series(asked)];
    expect(estimated.meta.sampling).toBeDefined();
    expect(lengthOf(estimated)).toBeGreaterThan(2 * lengthOf(exact));
    const fine = await series({ ...asked, interval: '30m' });
    expect(fine.meta.sampling).toBeUndefined();
    expect(lengthOf(fine)).toBe(1_800_000);
  });

  test('that would show noise alone are of all rows', async () => {
    const { meta } = await series({ yAxis: 'count()', groupBy: 'user.id', topEvents: '5', excludeOther: '1' });
    expect(meta.sampling).toBeUndefined();
  });

  test("as Sentry's clients ask for them are of all rows", async () => {
    const answer = await api.get<{ data: [number, { count: number }[]][] }>(
      `${org}/events-stats/?dataset=spans&statsPeriod=2d&yAxis=count()&sampling=allow`,
    );
    expect(answer.data.reduce((sum, [, [point]]) => sum + (point?.count ?? 0), 0)).toBe(rows);
  });
});

test('how many rows there are is estimated, or counted where the index knows', async () => {
  const held: boolean[] = [];
  for (const query of ['region:eu', 'service:web', 'span.op:http.client', 'service:api', 'region:us']) {
    const exact = await count({ sampling: '', query });
    const estimated = await count({ query });
    expect(exact.meta).toBeUndefined();
    expect(estimated.meta?.sampling).toMatchObject({ interval: [expect.any(Number), expect.any(Number)] });
    held.push(holds(estimated.meta?.sampling['interval'] as Interval, exact.count));
  }
  // One in twenty may lie outside.
  expect(held.filter(Boolean).length).toBeGreaterThanOrEqual(4);
  expect(await count({})).toEqual({ count: rows });
});

test('what is not of the sample is not read: the engine passes over it by its index', async () => {
  const sample = drawSample(rows, rows, { ...limits, stretches: 8 });
  if (!sample) throw new Error('there is enough to draw from');
  const read = async (condition: string): Promise<number> => {
    const [found] = await api.events.query<{ rows: number }>(
      `SELECT sum(rows) AS rows FROM (EXPLAIN ESTIMATE SELECT duration_us FROM spans WHERE ${condition})`,
    );
    return found?.rows ?? 0;
  };
  const all = await read('1');
  // A granule is the least that is read: about one for each stretch.
  expect(await read(`${stretchSql(sample)} IN [${sample.drawn.join(', ')}]`)).toBeLessThanOrEqual(all / 2);
});

test('nothing failed on the server', () => {
  expect(api.errors).toEqual([]);
});
