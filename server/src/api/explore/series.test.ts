/** Series of explore, and what Grafana asks of it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ExploreApi, minuteMs, nowMs, openExploreApi, org, pairs, path, type Query, type Row } from './testing.ts';

let api: ExploreApi;

beforeAll(async () => {
  api = await openExploreApi();
});
afterAll(() => api[Symbol.asyncDispose]());

interface Points {
  data: [number, [{ count: number | null }]][];
  order?: number;
  meta: { fields: Record<string, string> };
}
const sum = ({ data }: Points): number => data.reduce((all, [, [{ count }]]) => all + (count ?? 0), 0);
const stats = <T>(query: Query): Promise<T> => api.get(path('events-stats', pairs({ statsPeriod: '1h', ...query })));

describe('series', () => {
  test('one axis: one series, with zeros where there was nothing', async () => {
    const series = await stats<Points>({ interval: '5m' });
    expect(sum(series)).toBe(11);
    expect(series.data.length).toBeGreaterThanOrEqual(12);
    expect(series.data.every(([at]) => at % 300 === 0)).toBe(true);
  });

  test('several axes: by axis; what has no value is null', async () => {
    const series = await stats<Record<string, Points>>({
      dataset: 'spans',
      yAxis: ['count()', 'p95(span.duration)'],
      interval: '5m',
    });
    expect(Object.keys(series)).toEqual(['count()', 'p95(span.duration)']);
    expect(sum(series['count()'] as Points)).toBe(7);
    expect(series['p95(span.duration)']?.data.some(([, [{ count }]]) => count === null)).toBe(true);
  });

  test('the largest groups, and the rest', async () => {
    const asked = { topEvents: '2', field: ['release', 'count()'], yAxis: 'count()', sort: '-count()' };
    const series = await stats<Record<string, Points>>(asked);
    expect(Object.entries(series).map(([name, one]) => [name, one.order, sum(one)])).toEqual([
      ['shop@2', 0, 7],
      ['shop@1', 1, 3],
      ['Other', 2, 1],
    ]);
    expect(Object.keys(await stats<object>({ ...asked, excludeOther: '1' }))).toEqual(['shop@2', 'shop@1']);
  });

  test('groups of several axes nest', async () => {
    const series = await stats<Record<string, Record<string, Points>>>({
      topEvents: '5',
      field: ['issue', 'project', 'count()'],
      yAxis: ['count()', 'count_unique(user)'],
    });
    const [[name, first] = ['', {}]] = Object.entries(series);
    expect(name).toBe('WEB-1,web');
    expect(sum(first['count()'] as Points)).toBe(7);
    expect(first['order']).toBe(0);
  });

  test('as a flat list', async () => {
    const answer = await api.get<{
      timeSeries: { yAxis: string; groupBy: Row[] | null; values: { value: number | null }[]; meta: Row }[];
    }>(
      path(
        'events-timeseries',
        pairs({
          dataset: 'spans',
          groupBy: 'span.op',
          topEvents: '1',
          yAxis: 'count()',
          interval: '300',
          excludeOther: '0',
          query: '',
          sort: '-count()',
          start: new Date(nowMs - 60 * minuteMs).toISOString(),
          end: new Date(nowMs).toISOString(),
        }),
      ),
    );
    expect(answer.timeSeries.map(({ groupBy, meta }) => [groupBy, meta['isOther'], meta['order']])).toEqual([
      [[{ key: 'span.op', value: 'http.server' }], false, 0],
      [null, true, 1],
    ]);
    expect(new Set(answer.timeSeries.map(({ values }) => values.length)).size).toBe(1);
    expect(answer.timeSeries[0]?.meta).toMatchObject({ valueType: 'integer', valueUnit: null, interval: 300_000 });
  });

  test('of groups by what an event may have several of', async () => {
    const answer = await api.get<{ timeSeries: { groupBy: Row[] | null; values: { value: number | null }[] }[] }>(
      path(
        'events-timeseries',
        pairs({ groupBy: 'error.type', topEvents: '5', yAxis: 'count()', sort: '-count()', statsPeriod: '1h' }),
      ),
    );
    const found = answer.timeSeries.map(({ groupBy, values }) => [
      groupBy?.[0]?.['value'],
      values.reduce((sum, { value }) => sum + (value ?? 0), 0),
    ]);
    const groups = await api.rows({ field: ['error.type', 'count()'], sort: '-count()' });
    expect(groups.length).toBeGreaterThan(1);
    expect(found.toSorted()).toEqual(groups.map((row) => [row['error.type'], row['count()']]).toSorted());
  });
});

describe('what Grafana asks', () => {
  const day = {
    start: new Date(nowMs - 3_600_000).toISOString().slice(0, 19),
    end: new Date(nowMs).toISOString().slice(0, 19),
  };

  test('a table of issues', async () => {
    const fields = [
      'id',
      'title',
      'project',
      'project.id',
      'release',
      'count()',
      'epm()',
      'last_seen()',
      'level',
      'event.type',
      'platform',
    ];
    const { data } = await api.table({
      ...day,
      statsPeriod: '',
      query: '',
      per_page: '100',
      sort: '-last_seen()',
      field: fields,
      project: String(api.projectId),
    });
    expect(data).toHaveLength(11);
    expect(Object.keys(data[0] ?? {})).toEqual(expect.arrayContaining(fields));
  });

  test('a table of spans', async () => {
    const { data } = await api.table({
      ...day,
      statsPeriod: '',
      dataset: 'spans',
      useRpc: '1',
      query: 'span.op:db',
      sort: '-timestamp',
      per_page: '100',
      field: ['id', 'trace', 'span.op', 'timestamp'],
    });
    expect(data).toHaveLength(1);
  });

  test('the numbers of spans', async () => {
    const found = await api.get<{ key: string; name: string }[]>(
      `${org}/trace-items/attributes/?attributeType=number&itemType=spans`,
    );
    expect(found.map(({ key }) => key)).toEqual(
      expect.arrayContaining(['span.duration', expect.stringContaining('cart.items') as string]),
    );
    expect(found.map(({ key }) => key)).not.toContain('span.op');
  });

  test('series of groups', async () => {
    const series = await stats<Record<string, Record<string, Points>>>({
      ...day,
      statsPeriod: '',
      query: '',
      interval: '30s',
      partial: '1',
      excludeOther: '1',
      sort: '-count()',
      topEvents: '10',
      field: ['title', 'level'],
      yAxis: ['count()', 'count_unique(user)'],
    });
    expect(Object.keys(series)).toHaveLength(3);
  });
});

test('nothing failed on the server', () => {
  expect(api.errors).toEqual([]);
});
