import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testSpanRow } from '../events/test-rows.ts';
import { errorRow, hash, store } from '../issues/testing/stores.ts';
import { createProject } from '../projects/index.ts';
import { noteReleases } from '../releases/index.ts';
import { openTestApi, type TestApi } from './testing.ts';

const minuteMs = 60_000;
/** Within an hour, so that buckets of an hour do not depend on when it is run. */
const nowMs = Date.now();
let api: TestApi;

type Row = Record<string, unknown>;
interface Table {
  data: Row[];
  meta: { fields: Record<string, string>; units: Record<string, string | null> };
}
const org = '/api/0/organizations/acme';
const path = (name: string, query: readonly (readonly [string, string])[]): string =>
  `${org}/${name}/?${new URLSearchParams(query.map(([key, value]): [string, string] => [key, value]))}`;
type Query = Record<string, string | readonly string[]>;
const pairs = (query: Query): [string, string][] =>
  Object.entries(query).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).map((one): [string, string] => [key, one]),
  );
const table = (query: Query): Promise<Table> => api.get(path('events', pairs({ statsPeriod: '1h', ...query })));
const rows = async (query: Query): Promise<Row[]> => (await table(query)).data;
const refused = async (name: string, query: Query) => {
  const answer = await api.call({ url: path(name, pairs(query)) });
  expect(answer.statusCode, answer.body).toBe(400);
  return answer.json<{ detail: string; problems?: Row[] }>();
};

beforeAll(async () => {
  api = await openTestApi();
  const { projectId } = api;
  const event = (name: string, minutesAgo: number, given: object) =>
    errorRow({
      project_id: projectId,
      group_hash: hash(name),
      event_id: hash(`${name} ${minutesAgo}`),
      timestamp: nowMs - minutesAgo * minuteMs,
      error_type: name,
      error_value: 'broken',
      ...given,
    });
  await store(api, [
    ...Array.from({ length: 6 }, (_, index) =>
      event('TypeError', 1 + index, {
        release: 'shop@2',
        user: `id:${index % 3}`,
        tags: { plan: 'free', 'browser.name': index < 4 ? 'Safari' : 'Chrome', level: 'tagged' },
      }),
    ),
    ...Array.from({ length: 3 }, (_, index) =>
      event('RangeError', 10 + index, {
        release: 'shop@1',
        user: 'id:9',
        level: 'warning',
        tags: { plan: 'paid', 'browser.name': 'Chrome', ['__proto__']: 'odd' },
      }),
    ),
    event('SyntaxError', 50, { environment: 'staging', release: '', tags: {} }),
    // A second hash of the issue of the TypeErrors.
    event('TypeError', 20, {
      group_hash: hash('TypeError again'),
      group_hashes: [hash('TypeError again'), hash('TypeError')],
      release: 'shop@2',
      user: 'id:0',
    }),
    // A performance problem is no error.
    event('Slow', 5, { issue_type: 'performance_slow_db_query' }),
  ]);
  for (const [index, release] of ['shop@1', 'shop@2'].entries()) {
    const at = nowMs - (60 - index) * minuteMs;
    await noteReleases(api.state, [{ projectId, release, firstSeen: at, lastSeen: at }], at);
  }
  const span = (name: string, minutesAgo: number, ms: number, given: object) =>
    testSpanRow({
      project_id: projectId,
      trace_id: hash(`trace ${name} ${minutesAgo}`),
      span_id: hash(`${name} ${minutesAgo}`).slice(0, 16),
      started_at: (nowMs - minutesAgo * minuteMs) * 1000,
      duration_us: ms * 1000,
      transaction: name,
      name,
      ...given,
    });
  await api.events.insert(
    'spans',
    [
      ...[100, 200, 300, 400].map((ms, index) =>
        span('GET /cart', 2 + index, ms, {
          failed: index === 3 ? 1 : 0,
          status: index === 3 ? 'internal_error' : 'ok',
          attributes: { 'browser.name': 'Chrome', region: ms > 250 ? 'eu' : 'us' },
          numbers: { 'cart.items': ms / 100, lcp: ms * 10 },
        }),
      ),
      span('POST /pay', 8, 1000, { attributes: { region: 'eu' } }),
      span('POST /pay', 8.5, 20, { op: 'db', is_segment: 0, name: 'SELECT 1' }),
      span('ui', 9, 5, { op: 'ui.webvital.lcp' }),
    ],
    'explore spans',
  );
});
afterAll(() => api[Symbol.asyncDispose]());

describe('rows', () => {
  test('what only whole events hold is looked for where the rest of the question leaves few', async () => {
    expect(await rows({ field: ['title'], query: 'http.method:BREW (issue:WEB-1 OR level:error)' })).toEqual([]);
  });

  test('are the newest first, with what opens them and types of what is asked for', async () => {
    const { data, meta } = await table({
      field: ['title', 'issue', 'level', 'tags[plan]', 'tags[level]', 'timestamp', 'project', 'project.id'],
      per_page: '2',
    });
    expect(data).toHaveLength(2);
    expect(data[0]).toEqual({
      id: hash('TypeError 1'),
      'project.name': 'web',
      title: 'TypeError: broken',
      issue: expect.stringMatching(/^WEB-\d+$/) as string,
      level: 'error',
      'tags[plan]': 'free',
      'tags[level]': 'tagged',
      timestamp: new Date(nowMs - minuteMs).toISOString(),
      project: 'web',
      'project.id': api.projectId,
    });
    expect(meta.fields).toMatchObject({
      title: 'string',
      timestamp: 'date',
      'project.id': expect.any(String) as string,
    });
  });

  test('have default columns, and leave performance problems out', async () => {
    const found = await rows({});
    expect(found).toHaveLength(11);
    expect(Object.keys(found[0] ?? {})).toContain('title');
  });

  test.each([
    ['level:warning', 3],
    ['plan:free', 6],
    ['!plan:free', 5],
    ['plan:free OR level:warning', 9],
    ['plan:free browser.name:Chrome', 2],
    ['broken', 11],
    ['project:web', 11],
    ['project:other', 0],
    ['issue:WEB-1', 7],
    ['!issue:WEB-1', 4],
    ['issue:WEB-9999', 0],
  ])('that %s finds', async (query, count) => {
    expect(await rows({ query, field: 'id' })).toHaveLength(count);
    expect(await api.get(path('events-meta', pairs({ statsPeriod: '1h', query })))).toEqual({ count });
  });

  test('within projects, environments and times', async () => {
    expect(await rows({ environment: 'staging' })).toHaveLength(1);
    expect(await rows({ environment: ['staging', 'production'] })).toHaveLength(11);
    const between = {
      statsPeriod: '',
      start: new Date(nowMs - 3.5 * minuteMs).toISOString(),
      end: new Date(nowMs - 1.5 * minuteMs).toISOString(),
    };
    expect(await rows(between)).toHaveLength(2);
    const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'Empty' });
    expect(await rows({ project: project.slug })).toEqual([]);
    expect(await rows({ project: '-1' })).toHaveLength(11);
    expect((await api.call({ url: path('events', [['project', 'nowhere']]) })).statusCode).toBe(404);
  });

  test('of the latest release', async () => {
    expect(await rows({ query: 'release:latest', field: 'release' })).toHaveLength(7);
    expect(await rows({ query: '!release:[latest, shop@1]', field: 'release' })).toHaveLength(1);
    expect(await rows({ query: 'release:"latest"', field: 'release' })).toEqual([]);
    const body = { dataset: 'errors', statsPeriod: '1h', selection: { query: 'release:latest' } };
    const compared = await api.call({ method: 'POST', url: `${org}/events-compare/`, payload: body });
    expect(compared.json()).toMatchObject({ selection: 7, rest: 4 });
  });

  test('sorted by any column, page by page', async () => {
    const seen: unknown[] = [];
    let url: string | undefined = path(
      'events',
      pairs({ statsPeriod: '1h', field: ['level', 'timestamp'], sort: ['level', '-timestamp'], per_page: '4' }),
    );
    for (let page = 0; url && page < 9; page += 1) {
      const answer = await api.call({ url });
      seen.push(...answer.json<Table>().data.map((row) => row['level']));
      const next = /<([^>]+)>; rel="next"; results="true"/.exec(String(answer.headers['link']))?.[1];
      url = next && next.replace('http://culprit.test', '');
    }
    expect(seen).toEqual([...Array.from({ length: 8 }, () => 'error'), 'warning', 'warning', 'warning']);
  });

  test('of spans and of transactions', async () => {
    expect(await rows({ dataset: 'spans', query: 'span.op:db', field: ['span.description', 'span.duration'] })).toEqual(
      [expect.objectContaining({ 'span.description': 'SELECT 1', 'span.duration': 20 }) as Row],
    );
    const { data, meta } = await table({
      dataset: 'transactions',
      field: ['transaction', 'span.duration', 'trace', 'cart.items'],
      sort: '-span.duration',
    });
    expect(data.map((row) => [row['transaction'], row['span.duration']])).toEqual([
      ['POST /pay', 1000],
      ['GET /cart', 400],
      ['GET /cart', 300],
      ['GET /cart', 200],
      ['GET /cart', 100],
    ]);
    expect(meta.units['span.duration']).toBe('millisecond');
    expect(meta.fields['span.duration']).toBe('duration');
  });
});

describe('groups', () => {
  test('by tags and fields, the first aggregate deciding', async () => {
    const { data, meta } = await table({ field: ['release', 'plan', 'count()', 'count_unique(user)', 'last_seen()'] });
    expect(data.map((row) => [row['release'], row['plan'], row['count()'], row['count_unique(user)']])).toEqual([
      ['shop@2', 'free', 6, 3],
      ['shop@1', 'paid', 3, 1],
      ['', '', 1, 0],
      ['shop@2', '', 1, 1],
    ]);
    expect(data[0]).toMatchObject({
      release: 'shop@2',
      plan: 'free',
      'last_seen()': new Date(nowMs - minuteMs).toISOString(),
    });
    expect(meta.fields).toMatchObject({ 'count()': 'integer', 'last_seen()': 'date' });
  });

  test('by issue put its hashes together', async () => {
    const found = await rows({ field: ['issue', 'issue.id', 'count()'] });
    expect(found.map((row) => row['count()'])).toEqual([7, 3, 1]);
    expect(found[0]?.['issue']).toBe('WEB-1');
    expect(found[0]?.['issue.id']).toEqual(expect.any(Number));
  });

  test('sorted as asked, and as older clients write it', async () => {
    for (const sort of ['count()', 'count']) {
      const found = await rows({ field: ['level', 'count()'], sort });
      expect(found.map((row) => row['level'])).toEqual(['warning', 'error']);
    }
    const byName = await rows({ field: ['level', 'count()'], sort: '-level' });
    expect(byName.map((row) => row['level'])).toEqual(['warning', 'error']);
  });

  test('that fulfil conditions on aggregates', async () => {
    expect(await rows({ field: ['level', 'count()'], query: 'count():>5' })).toEqual([
      { level: 'error', 'count()': 8 },
    ]);
    // Such a question is about groups even where no column is.
    expect(await rows({ field: 'level', query: 'count():<5' })).toEqual([{ level: 'warning' }]);
  });

  test('with every aggregate', async () => {
    const [row] = await rows({
      dataset: 'transactions',
      query: 'transaction:"GET /cart"',
      field: [
        'transaction',
        'count()',
        'avg(span.duration)',
        'min(span.duration)',
        'max(span.duration)',
        'sum(span.duration)',
        'p50(span.duration)',
        'p99(span.duration)',
        'failure_rate()',
        'failure_count()',
        'epm()',
        'sum(cart.items)',
        'p75(measurements.lcp)',
        'count_if(region,equals,eu)',
      ],
    });
    expect(row).toMatchObject({
      'count()': 4,
      'avg(span.duration)': 250,
      'min(span.duration)': 100,
      'max(span.duration)': 400,
      'sum(span.duration)': 1000,
      'failure_rate()': 0.25,
      'failure_count()': 1,
      'sum(cart.items)': 10,
      'count_if(region,equals,eu)': 2,
    });
    expect(row?.['epm()']).toBeCloseTo(4 / 60);
    expect(row?.['p50(span.duration)']).toBeGreaterThanOrEqual(198);
    expect(row?.['p50(span.duration)']).toBeLessThanOrEqual(303);
  });
});

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
    const groups = await rows({ field: ['error.type', 'count()'], sort: '-count()' });
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
    const { data } = await table({
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
    const { data } = await table({
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

interface Compared {
  selection: number;
  rest: number;
  sampled: boolean;
  attributes: { key: string; value: string; inSelection: number; inRest: number; difference: number }[];
}
const compare = async (body: object): Promise<Compared> => {
  const answer = await api.call({
    method: 'POST',
    url: `${org}/events-compare/`,
    payload: { statsPeriod: '1h', ...body },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Compared>();
};

describe('a selection beside the rest', () => {
  test('by a query', async () => {
    const compared = await compare({ dataset: 'errors', selection: { query: 'error.type:TypeError' } });
    expect(compared).toMatchObject({ selection: 7, rest: 4, sampled: false });
    const plan = compared.attributes.find(({ key }) => key === 'plan');
    expect(plan?.inRest).toBeLessThan(1);
    expect(compared.attributes.find(({ key }) => key === 'release')).toMatchObject({
      value: 'shop@2',
      inSelection: 1,
      inRest: 0,
    });
    // The tag that is called like a key.
    expect(compared.attributes.find(({ key }) => key === 'tags[level]')).toMatchObject({ value: 'tagged' });
  });

  test('by how long it took, and by time', async () => {
    const slow = await compare({
      dataset: 'transactions',
      query: 'transaction:"GET /cart"',
      selection: { range: { field: 'span.duration', from: 250 } },
    });
    expect(slow).toMatchObject({ selection: 2, rest: 2 });
    expect(slow.attributes[0]).toMatchObject({ key: 'region', value: 'eu', inSelection: 1, inRest: 0, difference: 1 });
    const late = await compare({
      dataset: 'errors',
      selection: { start: new Date(nowMs - 7 * minuteMs).toISOString() },
    });
    expect(late).toMatchObject({ selection: 6, rest: 5 });
  });

  test('of many a part is looked at, the same one each time', async () => {
    await api.events.command(
      `INSERT INTO spans (project_id, trace_id, span_id, started_at, duration_us, transaction, op, attributes)
       SELECT {project:UInt64}, lower(hex(MD5(toString(number)))), lower(hex(sipHash64(number))),
         fromUnixTimestamp64Milli({from:Int64} + toInt64(number) * 7, 'UTC'), if(number % 2, 900000, 1000), 'many', 'db',
         map('shard', if(number % 2, 'slow', 'fast'), 'unique', toString(number), 'same', 'x')
       FROM numbers(90000)`,
      { project: api.projectId, from: nowMs - 40 * minuteMs },
    );
    const asked = {
      dataset: 'spans',
      query: 'transaction:many',
      selection: { range: { field: 'span.duration', from: 100 } },
    };
    const compared = await compare(asked);
    expect(compared).toMatchObject({ selection: 45_000, rest: 45_000, sampled: true });
    // What every span has another of, and what all share, tell nothing.
    expect(compared.attributes.map(({ key }) => key)).toEqual(['shard']);
    expect(compared.attributes[0]).toMatchObject({ value: 'slow', difference: 1 });
    expect(await compare(asked)).toEqual(compared);
    // Few of many: the rest is thinned out, the selection is not.
    const few = await compare({ ...asked, selection: { query: 'unique:[1, 3, 5, 7, 9, 11]' } });
    expect(few).toMatchObject({ selection: 6, sampled: true });
    expect(few.attributes.find(({ key }) => key === 'shard')).toMatchObject({ inSelection: 1 });
  });

  test.each([
    [{ selection: {} }, 'at least one'],
    [{ selection: { query: 'count():>5' } }, 'aggregates'],
    [{ selection: { query: 'level:' } }, 'selection.query'],
    [{ selection: { range: { field: 'level', from: 1 } } }, 'only numbers'],
    [{ selection: { range: { field: 'count()', from: 1 } } }, 'only numbers'],
  ])('refuses %j', async (body, words) => {
    const answer = await api.call({
      method: 'POST',
      url: `${org}/events-compare/`,
      payload: { dataset: 'errors', ...body },
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json<{ detail: string }>().detail).toContain(words);
  });
});

describe('what cannot be asked is said with its place', () => {
  test('in the query', async () => {
    const { problems } = await refused('events', { query: 'level:error release:', field: 'title' });
    expect(problems).toEqual([
      expect.objectContaining({ parameter: 'query', code: 'filter-must-have-value', start: 12, end: 20 }) as Row,
    ]);
  });

  test('in fields, all at once, with what may be meant', async () => {
    const { problems, detail } = await refused('events', {
      field: ['title', 'cuont()', 'p95(level)'],
      query: 'level:',
    });
    expect(problems?.map(({ parameter, text }) => [parameter, text])).toEqual([
      ['query', 'level:'],
      ['field', 'cuont()'],
      ['field', 'p95(level)'],
    ]);
    expect(problems?.[1]?.['suggestions']).toContain('count()');
    expect(detail).toContain('cuont');
  });

  test.each<[string, Query, string]>([
    ['events', { field: Array.from({ length: 100 }, (_, index) => `tags[t${index}]`) }, 'at most 20'],
    ['events', { field: [...Array.from({ length: 15 }, (_, index) => `tags[t${index}]`), 'count()'] }, 'at most 10'],
    ['events', { per_page: '101' }, 'per_page'],
    ['events', { per_page: '100000000' }, 'per_page'],
    ['events', { cursor: '0:999999999:0' }, 'first 10000 rows'],
    ['issues', { cursor: '1:99999999999:0' }, 'cursor'],
    ['events', { cursor: "0:1' OR 1=1:0" }, 'cursor'],
    ['events', { dataset: 'replays' }, 'dataset'],
    ['events', { field: ['level', 'count()'], sort: 'title' }, 'add "title" as a field'],
    ['events', { field: ['level'], sort: '-count()' }, 'aggregates'],
    ['events', { field: 'x'.repeat(501) }, 'field'],
    ['events', { query: 'is:unresolved' }, 'issues'],
    ['events', { query: 'x'.repeat(5000) }, 'characters'],
    ['events', { statsPeriod: '0d' }, 'statsPeriod'],
    ['events', { start: 'yesterday' }, 'start'],
    ['events-stats', { yAxis: 'level' }, 'aggregate'],
    ['events-stats', { yAxis: Array.from({ length: 11 }, (_, index) => `count_unique(t${index})`) }, 'at most 10'],
    ['events-stats', { topEvents: '11', field: 'level' }, 'topEvents'],
    ['events-stats', { interval: 'soon' }, 'interval'],
  ])('%s %j', async (name, query, words) => {
    expect((await refused(name, query)).detail).toContain(words);
  });

  test.each([
    'tags[\0]',
    "tags['); DROP TABLE errors --]",
    '__proto__',
    'tags[__proto__]',
    'constructor',
    '\ud800',
    '"',
    'a'.repeat(200),
  ])('an odd key %j is a tag or refused, and nothing else', async (field) => {
    const answer = await api.call({ url: path('events', pairs({ statsPeriod: '1h', field: [field, 'count()'] })) });
    expect([200, 400]).toContain(answer.statusCode);
    expect(await rows({ field: 'id' })).toHaveLength(11);
  });

  test('a column called __proto__ is one', async () => {
    const answer = await api.call({
      url: path('events', pairs({ statsPeriod: '1h', field: ['tags[__proto__]', 'count()'] })),
    });
    expect(answer.body).toContain('"odd"');
  });

  test('not without the right to read', async () => {
    const token = await api.makeToken('project:releases');
    for (const name of ['events', 'events-stats', 'events-timeseries', 'events-meta', 'data-export', 'explore/saved']) {
      expect((await api.call({ url: `${org}/${name}/`, token })).statusCode).toBe(403);
    }
  });
});

test('nothing failed on the server', () => {
  expect(api.errors).toEqual([]);
});
