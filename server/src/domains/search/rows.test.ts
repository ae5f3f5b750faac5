/** Queries on the real engine: which events and spans each finds. */
import { parseField, parseSearch, reasonText } from '@culprit/search';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testErrorRow, testSpanRow } from '../../ports/events/test-rows.ts';
import { openTestStores, type TestStores } from '../issues/testing/stores.ts';
import { createBinder } from './binding.ts';
import { fieldSql } from './fields.ts';
import { compileFilter, compileHaving, splitAggregates } from './filter.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;

let stores: TestStores;

const payload = JSON.stringify({
  type: 'error',
  request: { method: 'POST', headers: [['Referer', 'https://example.com/']] },
  contexts: {
    app: { build: 42, free: true },
    response: { status_code: 503 },
    trace: { op: 'http.server', status: 'internal_error', data: { 'thread.name': 'worker-7' } },
    flags: { values: [{ flag: 'new-cart', result: true }] },
  },
  user: { geo: { country_code: 'DE' } },
});

const stack = {
  stack_filenames: ['app/cart.ts', 'node_modules/react/index.js'],
  stack_functions: ['getPrice', 'render'],
  stack_modules: ['cart'],
  stack_packages: ['/usr/lib/libc.so'],
  stack_abs_paths: ['/srv/app/cart.ts'],
  stack_lines: [7, 4000],
  stack_columns: [3],
  stack_in_app: [1, 0] as (0 | 1)[],
  error_types: ['TypeError', 'AxiosError'],
  error_values: ['x is undefined', 'Network Error'],
  error_mechanisms: ['onerror'],
};

const noStack = {
  stack_filenames: [],
  stack_functions: [],
  stack_modules: [],
  stack_packages: [],
  stack_abs_paths: [],
  stack_lines: [],
  stack_columns: [],
  stack_in_app: [],
  error_types: [],
  error_values: [],
  error_mechanisms: [],
};

const a = testErrorRow({
  event_id: 'a'.repeat(32),
  timestamp: now - 2 * hour,
  project_id: 1,
  payload,
  ...stack,
  error_main_thread: 1,
  handled: 0,
  release: 'shop@1.10.0+77',
  tags: { plan: 'Pro', weight: '12.5', beta: 'true', 'odd key': 'a "b" *c*', level: 'high', '50%_\\': '50%_\\' },
  user_email: 'ada@example.com',
  user_ip: '203.0.113.9',
  digest: '123',
  trace_id: 'c'.repeat(32),
});
const b = testErrorRow({
  event_id: 'b'.repeat(32),
  timestamp: now - 3 * day,
  project_id: 2,
  payload: '{"contexts":{"app":{"build":"41"}}}',
  ...noStack,
  level: 'warning',
  title: 'Grüße vom Lager',
  message: 'Grüße vom Lager',
  error_type: '',
  error_value: '',
  culprit: '',
  handled: 1,
  release: 'shop@1.9.0-beta.2',
  environment: 'staging',
  tags: {},
  user: '',
  user_id: '',
});
const c = testErrorRow({
  event_id: 'c'.repeat(32),
  timestamp: now - 30 * day,
  project_id: 2,
  payload: '{}',
  ...noStack,
  error_types: ['RangeError'],
  release: '1.9.0-beta.11',
  handled: null,
  title: 'RangeError: 100% *full*',
  error_value: '100% *full*',
  platform: 'native',
  sdk_name: 'sentry.rust.tower',
  tags: { plan: 'free', weight: 'heavy', logger: 'shop.pay' },
});

const spans = [
  testSpanRow({
    span_id: '1'.repeat(16),
    started_at: (now - hour) * 1_000,
    duration_us: 2_500_000,
    exclusive_us: 100_000,
    attributes: { 'http.request.method': 'GET', 'user.id': '7', shop: 'berlin', beta: 'true' },
    numbers: { 'http.response.status_code': 500, lcp: 2_600, items: 3, 'http.response.body.size': 150_000 },
    failed: 1,
    status: 'internal_error',
    user: 'id:7',
  }),
  testSpanRow({
    span_id: '2'.repeat(16),
    started_at: (now - 2 * hour) * 1_000,
    parent_span_id: '1'.repeat(16),
    is_segment: 0,
    op: 'db',
    name: 'SELECT * FROM cart',
    duration_us: 40_000,
    exclusive_us: -1,
    attributes: { 'db.system.name': 'postgresql', items: '3', shop: '' },
    numbers: {},
    user: '',
  }),
];

beforeAll(async () => {
  stores = await openTestStores();
  await stores.events.insert('errors', [a, b, c], 'errors');
  await stores.events.insert('spans', spans, 'spans');
});
afterAll(() => stores[Symbol.asyncDispose]());

const projects = [
  { id: 1, slug: 'web' },
  { id: 2, slug: 'api' },
];
const options = { nowMs: now, projects };

async function found(query: string, dataSet: 'events' | 'spans'): Promise<string> {
  const { root, problems } = parseSearch(query, dataSet);
  expect(problems).toEqual([]);
  const { conditions, params } = compileFilter(root, dataSet, options);
  const [table, id] = dataSet === 'spans' ? ['spans', 'span_id'] : ['errors', 'event_id'];
  const where = conditions.length ? `WHERE ${conditions.join(' AND ')}` : '';
  const rows = await stores.events.query<{ id: string }>(`SELECT ${id} AS id FROM ${table} ${where}`, params);
  return rows
    .map((row) => row.id[0])
    .toSorted()
    .join('');
}

describe('events', () => {
  test.each([
    ['', 'abc'],
    ['level:warning', 'b'],
    ['level:warn', 'b'],
    ['!level:warning', 'ac'],
    ['level:[warning, fatal]', 'b'],
    ['platform:rust', 'c'],
    ['platform:[rust, python]', 'c'],
    ['platform:ru*', 'c'],
    ['!platform:rust', 'ab'],
    ['platform:native', 'c'],
    ['platform:javascript', 'ab'],
    ['logger:shop.pay', 'c'],
    ['logger:shop.*', 'c'],
    ['!has:logger', 'ab'],
    ['thread.name:worker-7', 'a'],
    ['tags[level]:high', 'a'],
    ['plan:Pro', 'a'],
    ['plan:pro', ''],
    ['plan:P*', 'a'],
    ['plan:*', 'ac'],
    ['!plan:Pro', 'bc'],
    ['plan:""', 'b'],
    ['has:plan', 'ac'],
    ['!has:plan', 'b'],
    ['plan:Pro OR level:warning', 'ab'],
    ['(plan:Pro OR level:warning) !level:warning', 'a'],
    ['plan:Pro OR plan:free level:warning', 'a'],
    ['"odd key":"a \\"b\\" \\*c\\*"', 'a'],
    ['"50%_\\\\":"50%_\\\\"', 'a'],
    ['"50%_\\\\":50%*', 'a'],
    ['"50%_\\\\":50_*', ''],
    ['tags[weight,number]:>12', 'a'],
    ['!tags[weight,number]:>12', 'bc'],
    ['tags[beta,boolean]:true', 'a'],
    ['error.type:AxiosError', 'a'],
    ['error.type:[RangeError, AxiosError]', 'ac'],
    ['!error.type:AxiosError', 'bc'],
    ['error.type:*Error', 'ac'],
    ['error.type:""', 'b'],
    ['has:error.type', 'ac'],
    ['error.mechanism:onerror', 'a'],
    ['error.handled:true', 'b'],
    ['error.unhandled:true', 'a'],
    ['!error.handled:true', 'ac'],
    ['handled:no', 'a'],
    ['has:error.handled', 'ab'],
    ['error.main_thread:1', 'a'],
    ['stack.filename:*cart.ts', 'a'],
    ['!stack.filename:*cart.ts', 'bc'],
    ['stack.function:getPrice stack.module:cart stack.package:*libc* stack.abs_path:/srv/*', 'a'],
    ['stack.lineno:>1k', 'a'],
    ['stack.lineno:[7, 8]', 'a'],
    ['release.build:77', 'a'],
    ['release.build:>9', 'a'],
    ['release.build:>77', ''],
    ['release.build:<=77.0', 'a'],
    ['!release.build:>=77', 'bc'],
    ['release:[a\ud800, "shop@1.10.0+77"]', 'a'],
    ['event.timestamp:-1d', 'a'],
    ['stack.colno:<3', ''],
    ['stack.in_app:true', 'a'],
    ['!stack.in_app:false', 'bc'],
    ['GRÜẞE', 'b'],
    ['vom lager', 'b'],
    ['getprice', 'a'],
    ['network error', 'a'],
    ['cart.ts', 'ac'],
    ['react/index', 'a'],
    ['"*full*"', 'c'],
    ['ran*full', 'c'],
    ['message:"Grüße"', 'b'],
    ['!message:lager', 'ac'],
    ['message:[lager, full]', 'bc'],
    ['message:["\\*full\\*", "G*e"]', 'c'],
    ['title:"RangeError: 100% \\*full\\*"', 'c'],
    ['project:web', 'a'],
    ['!project:web', 'bc'],
    ['project:[web, api]', 'abc'],
    ['project:a*', 'bc'],
    ['project:nowhere', ''],
    ['project.id:2', 'bc'],
    ['project_id:>1', 'bc'],
    ['timestamp:-24h', 'a'],
    ['timestamp:+7d', 'c'],
    ['timestamp:>=2026-11-17', 'ab'],
    ['timestamp:2026-11-20', 'a'],
    ['timestamp:2026-11-20T10:00', 'a'],
    ['!timestamp:2026-11-20', 'bc'],
    ['timestamp.to_hour:2026-11-20T10:30:00', 'a'],
    ['timestamp.to_day:2026-11-20', 'a'],
    ['release:shop@1.*', 'ab'],
    ['release.version:1.10.0', 'a'],
    ['release.version:>1.9.0', 'a'],
    ['release.version:<1.9.0', 'bc'],
    ['release.version:<=1.9.0-beta.2', 'b'],
    ['release.version:>1.9.0-beta.2', 'ac'],
    ['release.version:>1.9.0-beta', 'abc'],
    ['release.version:<1.9.0-beta.2', ''],
    ['release.version:[1.10.0, 1.9.0-beta.11]', 'ac'],
    ['release.version:1.9.*', 'bc'],
    ['release.package:shop', 'ab'],
    ['release.build:77', 'a'],
    ['user:ada@example.com', 'a'],
    ['user:id:1', 'ac'],
    ['user:ip:203.*', 'a'],
    ['!user:1', 'b'],
    ['has:user', 'ac'],
    ['user:""', 'b'],
    ['trace:CCCCCCCC-cccc-cccc-cccc-cccccccccccc', 'a'],
    ['digest:123@E7', 'a'],
    ['http.method:POST', 'a'],
    ['http.status_code:>=500', 'a'],
    ['!http.status_code:503', 'bc'],
    ['http.referer:*example*', 'a'],
    ['geo.country_code:DE', 'a'],
    ['contexts.app.build:42', 'a'],
    ['app.build:4*', 'ab'],
    ['has:app.free', 'a'],
    ['transaction.op:http.server', 'a'],
    ['event.type:error', 'a'],
    ['flags["new-cart"]:true', 'a'],
    ['!flags["new-cart"]:true', 'bc'],
  ])('%s', async (query, expected) => {
    expect(await found(query, 'events')).toBe(expected);
  });
});

describe('spans', () => {
  test.each([
    ['', '12'],
    ['span.op:db', '2'],
    ['span.duration:>1s', '1'],
    ['span.duration:40', '2'],
    ['span.duration:[40ms, 2.5s]', '12'],
    ['span.self_time:<1s', '1'],
    ['!has:span.self_time', '2'],
    ['transaction.duration:<1h', '1'],
    ['transaction.op:http.server', '1'],
    ['is_transaction:false', '2'],
    ['http.status_code:>=500', '1'],
    ['http.response.status_code:500', '1'],
    ['http.method:GET', '1'],
    ['http.response.body.size:>100kib', '1'],
    ['measurements.lcp:>2.5s', '1'],
    ['lcp:<2.5s', ''],
    ['measurements.items:3', '12'],
    ['items:3', '12'],
    ['items:[3, 4]', '12'],
    ['!items:3', ''],
    ['tags[items,number]:>2', '12'],
    ['tags[items,number]:>3', ''],
    ['shop:berlin', '1'],
    ['shop:""', '2'],
    ['has:items', '12'],
    ['db.system:postgresql', '2'],
    ['span.system:post*', '2'],
    ['tags[beta,boolean]:true', '1'],
    ['user:7', '1'],
    ['user.id:7', '1'],
    ['select', '2'],
    ['span.description:"SELECT \\* FROM cart"', '2'],
    ['failed:true OR span.op:db', '12'],
    ['timestamp:-90m', '1'],
    ['release.version:1.0.0', '12'],
  ])('%s', async (query, expected) => {
    expect(await found(query, 'spans')).toBe(expected);
  });
});

async function aggregated(texts: readonly string[], dataSet: 'events' | 'spans', query = ''): Promise<unknown[][]> {
  const { bind, params } = createBinder('field');
  const fields = texts.map((text) => parseField(text, dataSet));
  const columns = fields.map((field, index) => {
    if ('code' in field) throw new Error(reasonText(field));
    return `${fieldSql(field, dataSet, bind, { rangeSeconds: 60 }).sql} AS c${index}`;
  });
  const keys = fields.flatMap((field, index) => ('code' in field || field.kind === 'function' ? [] : [`c${index}`]));
  const { rows, aggregates } = splitAggregates(parseSearch(query, dataSet).root);
  const where = compileFilter(rows, dataSet, options);
  const having = compileHaving(aggregates, dataSet, { ...options, rangeSeconds: 60 });
  const sql = `SELECT ${columns.join(', ')} FROM ${dataSet === 'spans' ? 'spans' : 'errors'}
    ${where.conditions.length ? `WHERE ${where.conditions.join(' AND ')}` : ''}
    ${keys.length ? `GROUP BY ${keys.join(', ')}` : ''}
    ${having.conditions.length ? `HAVING ${having.conditions.join(' AND ')}` : ''} ORDER BY ALL`;
  const answered = await stores.events.query<Record<string, unknown>>(sql, {
    ...params,
    ...where.params,
    ...having.params,
  });
  return answered.map((row) => texts.map((_, index) => row[`c${index}`]));
}

describe('fields and aggregates', () => {
  test('of events', async () => {
    expect(await aggregated(['level', 'count()', 'count_unique(user)'], 'events')).toEqual([
      ['error', 2, 1],
      ['warning', 1, 0],
    ]);
    expect(
      await aggregated(
        [
          'count(plan)',
          'count_if(level, equals, warning)',
          'count_if(level, notEquals, warning)',
          'count_if(error.type, equals, "TypeError")',
          'count_if(http.status_code, greaterOrEquals, 500)',
          'count_unique(error.type)',
          'epm()',
          'sum(weight)',
          'last_seen()',
          'max(timestamp)',
          'any(plan)',
        ],
        'events',
        'level:[error, warning]',
      ),
    ).toEqual([
      [
        2,
        1,
        2,
        1,
        1,
        3,
        3,
        12.5,
        '2026-11-20 10:00:00.000',
        '2026-11-20 10:00:00.000',
        expect.stringMatching(/Pro|free/),
      ],
    ]);
  });

  test('of spans', async () => {
    expect(
      await aggregated(
        [
          'count()',
          'p100(span.duration)',
          'max(span.self_time)',
          'avg(measurements.lcp)',
          'sum(items)',
          'failure_rate()',
          'failure_count()',
          'tpm()',
          'apdex(1000)',
          'count_if(span.duration, greater, 1s)',
          'percentage(span.self_time, span.duration)',
          'count_unique(db.system)',
        ],
        'spans',
      ),
    ).toEqual([[2, 2_500, 100, 2_600, 6, 0.5, 1, 1, 0.75, 1, expect.closeTo(100 / 2_540), 1]]);
    const [[p50, p95]] = (await aggregated(['p50()', 'percentile(span.duration, 0.95)'], 'spans')) as [
      [number, number],
    ];
    expect(p50).toBeGreaterThanOrEqual(40);
    expect(p95).toBeLessThanOrEqual(2_500);
  });

  test('groups of rows are left out by what they come to', async () => {
    const groups = (query: string): Promise<unknown[][]> => aggregated(['span.op', 'count()'], 'spans', query);
    expect(await groups('p50(span.duration):>1s')).toEqual([['http.server', 1]]);
    expect(await groups('!p50():>1s')).toEqual([['db', 1]]);
    expect(await groups('count():>0 failure_rate():<50%')).toEqual([['db', 1]]);
    expect(await groups('avg(measurements.lcp):>1 OR count():>5')).toEqual([['http.server', 1]]);
    expect(await groups('last_seen():-90m')).toEqual([['http.server', 1]]);
    expect(await groups('span.op:db count():1')).toEqual([['db', 1]]);
    expect(await groups('epm():>=1 span.op:db')).toEqual([['db', 1]]);
  });

  test('every key of the table and every function is valid SQL', async () => {
    for (const dataSet of ['events', 'spans'] as const) {
      const { functionsOf, keysOf } = await import('@culprit/search');
      const keys = keysOf(dataSet).filter((key) => key.scope === 'row');
      for (const key of keys) await aggregated([key.name, 'count()', `count_unique(${key.name})`], dataSet);
      const functions = functionsOf(dataSet).filter((one) => one.parameters.length === 0);
      await aggregated(
        functions.map((one) => `${one.name}()`),
        dataSet,
      );
    }
  });
});
