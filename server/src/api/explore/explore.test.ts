/** Tables of explore: rows, groups, and what cannot be asked. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hash } from '../../domains/issues/testing/stores.ts';
import { createProject } from '../../domains/projects/index.ts';
import {
  type ExploreApi,
  minuteMs,
  nowMs,
  openExploreApi,
  org,
  pairs,
  path,
  type Query,
  type Row,
  type Table,
} from './testing.ts';

let api: ExploreApi;

beforeAll(async () => {
  api = await openExploreApi();
});
afterAll(() => api[Symbol.asyncDispose]());

describe('rows', () => {
  test('what is in no column of events is looked for where the rest of the question leaves few', async () => {
    expect(await api.rows({ field: ['title'], query: 'http.method:BREW (issue:WEB-1 OR level:error)' })).toEqual([]);
  });

  test('are the newest first, with what opens them and types of what is asked for', async () => {
    const { data, meta } = await api.table({
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
    const found = await api.rows({});
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
    expect(await api.rows({ query, field: 'id' })).toHaveLength(count);
    expect(await api.get(path('events-meta', pairs({ statsPeriod: '1h', query })))).toEqual({ count });
  });

  test('within projects, environments and times', async () => {
    expect(await api.rows({ environment: 'staging' })).toHaveLength(1);
    expect(await api.rows({ environment: ['staging', 'production'] })).toHaveLength(11);
    const between = {
      statsPeriod: '',
      start: new Date(nowMs - 3.5 * minuteMs).toISOString(),
      end: new Date(nowMs - 1.5 * minuteMs).toISOString(),
    };
    expect(await api.rows(between)).toHaveLength(2);
    const { project } = await createProject(api.state, { organizationId: api.organizationId, name: 'Empty' });
    expect(await api.rows({ project: project.slug })).toEqual([]);
    expect(await api.rows({ project: '-1' })).toHaveLength(11);
    expect((await api.call({ url: path('events', [['project', 'nowhere']]) })).statusCode).toBe(404);
  });

  test('of the latest release', async () => {
    expect(await api.rows({ query: 'release:latest', field: 'release' })).toHaveLength(7);
    expect(await api.rows({ query: '!release:[latest, shop@1]', field: 'release' })).toHaveLength(1);
    expect(await api.rows({ query: 'release:"latest"', field: 'release' })).toEqual([]);
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
    expect(
      await api.rows({ dataset: 'spans', query: 'span.op:db', field: ['span.description', 'span.duration'] }),
    ).toEqual([expect.objectContaining({ 'span.description': 'SELECT 1', 'span.duration': 20 }) as Row]);
    const { data, meta } = await api.table({
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
    const { data, meta } = await api.table({
      field: ['release', 'plan', 'count()', 'count_unique(user)', 'last_seen()'],
    });
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
    const found = await api.rows({ field: ['issue', 'issue.id', 'count()'] });
    expect(found.map((row) => row['count()'])).toEqual([7, 3, 1]);
    expect(found[0]?.['issue']).toBe('WEB-1');
    expect(found[0]?.['issue.id']).toEqual(expect.any(Number));
  });

  test('sorted as asked, and as older clients write it', async () => {
    for (const sort of ['count()', 'count']) {
      const found = await api.rows({ field: ['level', 'count()'], sort });
      expect(found.map((row) => row['level'])).toEqual(['warning', 'error']);
    }
    const byName = await api.rows({ field: ['level', 'count()'], sort: '-level' });
    expect(byName.map((row) => row['level'])).toEqual(['warning', 'error']);
  });

  test('that fulfil conditions on aggregates', async () => {
    expect(await api.rows({ field: ['level', 'count()'], query: 'count():>5' })).toEqual([
      { level: 'error', 'count()': 8 },
    ]);
    // Such a question is about groups even where no column is.
    expect(await api.rows({ field: 'level', query: 'count():<5' })).toEqual([{ level: 'warning' }]);
  });

  test('with every aggregate', async () => {
    const [row] = await api.rows({
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

describe('what cannot be asked is said with its place', () => {
  test('in the query', async () => {
    const { problems } = await api.refused('events', { query: 'level:error release:', field: 'title' });
    expect(problems).toEqual([
      expect.objectContaining({ parameter: 'query', code: 'filter-must-have-value', start: 12, end: 20 }) as Row,
    ]);
  });

  test('in fields, all at once, with what may be meant', async () => {
    const { problems, detail } = await api.refused('events', {
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
    ['events', { cursor: '0:999999999:0' }, 'first 10,000 rows'],
    ['issues', { cursor: '1:99999999999:0' }, 'cursor'],
    ['events', { cursor: "0:1' OR 1=1:0" }, 'cursor'],
    ['events', { dataset: 'replays' }, 'dataset'],
    ['events', { field: ['level', 'count()'], sort: 'title' }, 'Add “title” as a field'],
    ['events', { field: ['level'], sort: '-count()' }, 'aggregates'],
    ['events', { field: 'x'.repeat(501) }, 'field'],
    ['events', { query: 'is:unresolved' }, 'issues'],
    ['events', { query: 'x'.repeat(5000) }, 'characters'],
    ['events', { statsPeriod: '0d' }, 'statsPeriod'],
    ['events', { start: 'yesterday' }, 'Start'],
    ['events-stats', { yAxis: 'level' }, 'aggregate'],
    ['events-stats', { yAxis: Array.from({ length: 11 }, (_, index) => `count_unique(t${index})`) }, 'at most 10'],
    ['events-stats', { topEvents: '11', field: 'level' }, 'topEvents'],
    ['events-stats', { interval: 'soon' }, 'interval'],
  ])('%s %j', async (name, query, words) => {
    expect((await api.refused(name, query)).detail).toContain(words);
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
    expect(await api.rows({ field: 'id' })).toHaveLength(11);
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
