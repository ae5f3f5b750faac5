/** Transactions and spans that SDKs do not send: wrong, hostile, beyond sense. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SpanRow } from '../../base/tables/spans.ts';
import type { ItemResult } from '../types.ts';
import { outcomesOf, receivedAt, run } from './testing.ts';

const traceId = 'f0d99aa356a54a5aab63d5be80d7614a';
const rootId = '9c0c30ed7280d801';
const end = receivedAt / 1000 - 1;
const id = (number: number): string => number.toString(16).padStart(16, '0');

function transaction(
  fields: Record<string, unknown> = {},
  trace: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    type: 'transaction',
    transaction: 'GET /users/:id',
    transaction_info: { source: 'route' },
    platform: 'node',
    start_timestamp: end - 1,
    timestamp: end,
    contexts: { trace: { trace_id: traceId, span_id: rootId, op: 'http.server', status: 'ok', ...trace } },
    spans: [],
    ...fields,
  };
}

const child = (number: number, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  trace_id: traceId,
  span_id: id(number),
  parent_span_id: rootId,
  op: 'function',
  description: `step ${number}`,
  start_timestamp: end - 0.9,
  timestamp: end - 0.8,
  ...fields,
});

const remarksOf = (row: SpanRow | undefined): unknown =>
  (JSON.parse(row?.remarks || '[]') as { what: string }[]).map(({ what }) => what);
const spansOf = (result: ItemResult): readonly SpanRow[] => result.rows?.spans ?? [];

describe('transactions that are refused', () => {
  const { contexts: _, ...untraced } = transaction();
  test.each([
    ['no_trace_context', untraced],
    ['bad_trace_id', transaction({}, { trace_id: '0'.repeat(32) })],
    ['bad_span_id', transaction({}, { span_id: 'xyz' })],
    ['no_start_timestamp', transaction({ start_timestamp: undefined })],
    ['no_timestamp', transaction({ timestamp: 'soon' })],
    ['end_before_start', transaction({ timestamp: end - 2 })],
    ['too_old', transaction({ start_timestamp: end - 6 * 86_400, timestamp: end - 6 * 86_400 + 1 })],
    ['not_an_object', []],
    ['json', '{'],
  ])('%s', (reason, payload) => {
    const result = run('transaction', payload);
    expect(outcomesOf(result)).toEqual([['transaction', `invalid:${reason}`, 1]]);
    expect(result.kept).toHaveLength(1);
    expect(result.rows?.spans).toBeUndefined();
  });

  test('an old one of a sender with an old clock is not', () => {
    const ago = 40 * 86_400;
    const old = transaction({ start_timestamp: end - ago - 1, timestamp: end - ago });
    const [row] = spansOf(run('transaction', old, { sentAt: receivedAt - ago * 1000 }));
    expect(row).toMatchObject({ started_at: Math.round((end - 1) * 1e6), duration_us: 1_000_000 });
    expect(remarksOf(row)).toEqual(['clock_drift']);
  });
});

test('a segment says all that its transaction says', () => {
  const [row] = spansOf(
    run(
      'transaction',
      transaction(
        {
          transaction: '  ',
          environment: 'staging',
          release: 'shop@1',
          dist: '7',
          server_name: 'web-1',
          user: { id: 'u-1', email: 'ada@example.com' },
          tags: { tenant: 'acme', num: '7', api_key: 'abc' },
          extra: { cart: { items: 2 } },
          request: { url: 'https://shop.example.com/cart?token=abc&id=1', method: 'get', headers: { 'X-Plan': 'pro' } },
          contexts: {
            trace: {
              trace_id: traceId,
              span_id: rootId,
              parent_span_id: id(9),
              data: { num: 3, 'http.status_code': 404 },
            },
            runtime: { name: 'node', version: 'v24' },
            otel: { resource: { 'service.name': 'shop', 'service.namespace': 'prod' } },
            cart: { total: 12 },
          },
          measurements: {
            'queue.wait': { value: 1.5, unit: 'second' },
            lcp: { value: -1, unit: 'millisecond' },
            memory: { value: 2, unit: 'kibibyte' },
            broken: { value: 'x' },
          },
        },
        {},
      ),
    ),
  );
  expect(row).toMatchObject({
    name: '<unlabeled transaction>',
    environment: 'staging',
    release: 'shop@1',
    dist: '7',
    service: 'web-1',
    user: 'id:u-1',
    parent_span_id: id(9),
    status: 'not_found',
    failed: 1,
    platform: 'node',
    attributes: {
      tenant: 'acme',
      api_key: '[Filtered]',
      'extra.cart': '{"items":2}',
      'contexts.cart': '{"total":12}',
      'url.full': 'https://shop.example.com/cart?token=[Filtered]&id=1',
      'http.request.method': 'GET',
      'http.request.header.x-plan': 'pro',
      'process.runtime.name': 'node',
      'service.namespace': 'prod',
      'user.email': 'ada@example.com',
    },
    numbers: { num: 3, 'queue.wait': 1500, memory: 2048, 'http.response.status_code': 404 },
  });
  expect(row?.numbers).not.toHaveProperty('lcp');
});

test('names that are URLs lose their ids, those of routes do not', () => {
  const named = (name: string, source: string | undefined): string | undefined =>
    spansOf(run('transaction', transaction({ transaction: name, transaction_info: { source } })))[0]?.transaction;
  expect(named('/users/1234/cart', 'url')).toBe('/users/*/cart');
  expect(named('/users/1234/cart', undefined)).toBe('/users/*/cart');
  expect(named('/v10/cart', 'route')).toBe('/v10/cart');
  expect(named('job 1234', 'unheard of')).toBe('job 1234');
});

test('spans hang together, whatever their parents', () => {
  const spans = [
    child(1),
    child(2, { parent_span_id: id(1), start_timestamp: end - 0.88, timestamp: end - 0.85 }),
    child(3, { parent_span_id: id(77) }),
    child(4, { parent_span_id: id(5) }),
    child(5, { parent_span_id: id(4) }),
    child(1, { description: 'again' }),
    child(6, { timestamp: undefined, status: 'ok' }),
    child(7, { start_timestamp: end - 0.5, timestamp: end - 0.6 }),
    child(8, { trace_id: 'a'.repeat(32), status: 'banana' }),
    child(10, { start_timestamp: end - 365 * 86_400 }),
  ];
  const result = run('transaction', transaction({ spans }));
  expect(outcomesOf(result)).toEqual([
    ['transaction', 'accepted', 1],
    ['span', 'accepted', 11],
  ]);
  const [segment, ...rows] = spansOf(result);
  expect(
    rows.map((row) => [row.name, row.parent_span_id === rootId ? 'root' : row.parent_span_id, remarksOf(row)]),
  ).toEqual([
    ['step 1', 'root', []],
    ['step 2', id(1), []],
    ['step 3', 'root', ['parent_missing']],
    ['step 4', 'root', ['parent_cycle']],
    ['step 5', id(4), []],
    ['again', 'root', ['duplicate_span_id']],
    ['step 6', 'root', ['open_span']],
    ['step 7', 'root', ['negative_duration']],
    ['step 8', 'root', ['other_trace']],
    ['step 10', 'root', ['long_span']],
  ]);
  expect(rows[0]).toMatchObject({ duration_us: 100_000, exclusive_us: 70_000 });
  expect(rows[6]).toMatchObject({ duration_us: 900_000, status: 'deadline_exceeded', failed: 1 });
  expect(rows[7]?.duration_us).toBe(0);
  expect(rows[8]).toMatchObject({ trace_id: traceId, status: 'unknown', failed: 0 });
  expect(rows[9]?.duration_us).toBeLessThanOrEqual(30 * 86_400e6);
  expect(segment?.exclusive_us).toBe(0);
});

test('a bad span loses no other, and is kept to be looked at', () => {
  const spans = [child(1), 'nonsense', child(2, { span_id: 'x' }), child(3, { start_timestamp: null }), child(4)];
  const result = run('transaction', transaction({ spans }));
  expect(outcomesOf(result)).toEqual([
    ['transaction', 'accepted', 1],
    ['span', 'accepted', 3],
    ['span', 'invalid:not_an_object', 1],
    ['span', 'invalid:bad_span_id', 1],
    ['span', 'invalid:no_start_timestamp', 1],
  ]);
  expect(remarksOf(spansOf(result)[0])).toEqual(['not_an_object', 'bad_span_id', 'no_start_timestamp']);
  expect(JSON.parse(result.kept?.[0]?.row.payload ?? '')).toHaveLength(3);
  expect(result.kept?.[0]?.row).toMatchObject({ item_type: 'span', reason: 'not_an_object' });
});

test('more spans than any SDK sends are kept up to a bound', () => {
  const spans = Array.from({ length: 10_100 }, (_, index) => child(index + 1));
  const result = run('transaction', transaction({ spans }));
  expect(outcomesOf(result)).toEqual([
    ['transaction', 'accepted', 1],
    ['span', 'accepted', 10_001],
    ['span', 'invalid:too_many_spans', 100],
  ]);
  expect(remarksOf(spansOf(result)[0])).toEqual(['too_many_spans']);
});

test('a chain of parents as long as may be', () => {
  const spans = Array.from({ length: 10_000 }, (_, index) =>
    child(index + 1, index > 0 ? { parent_span_id: id(index) } : {}),
  );
  const rows = spansOf(run('transaction', transaction({ spans: spans.toReversed() })));
  expect(rows).toHaveLength(10_001);
  expect(rows.every((row) => row.remarks === '')).toBe(true);
});

const streamed = (number: number, fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  trace_id: traceId,
  span_id: id(number),
  name: `step ${number}`,
  start_timestamp: end - 1,
  end_timestamp: end,
  is_segment: false,
  status: 'ok',
  attributes: {},
  ...fields,
});
const typed = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, type: typeof value }]));

describe('containers', () => {
  test('a bad span loses no other', () => {
    const items = [
      streamed(1),
      null,
      streamed(2, { trace_id: 'x' }),
      streamed(3, { end_timestamp: undefined }),
      streamed(4, { start_timestamp: 1e300 }),
      streamed(5, { status: 'melted', parent_span_id: id(5) }),
    ];
    const result = run('span', { version: 2, items }, {}, { item_count: 3 });
    expect(outcomesOf(result)).toEqual([
      ['span', 'accepted', 2],
      ['span', 'invalid:not_an_object', 1],
      ['span', 'invalid:bad_trace_id', 1],
      ['span', 'invalid:no_end_timestamp', 1],
      ['span', 'invalid:no_start_timestamp', 1],
    ]);
    expect(spansOf(result)[1]).toMatchObject({ status: 'unknown', parent_span_id: '' });
    expect(remarksOf(spansOf(result)[1])).toEqual(['unknown_value', 'parent_cycle']);
    expect(result.kept).toHaveLength(1);
  });

  test('without spans', () => {
    expect(outcomesOf(run('span', { version: 2, items: [] }))).toEqual([['span', 'invalid:empty', 1]]);
    expect(outcomesOf(run('span', { version: 2 }))).toEqual([['span', 'invalid:bad_span_id', 1]]);
    expect(outcomesOf(run('span', '[[]]'))).toEqual([['span', 'invalid:not_an_object', 1]]);
  });

  test('beyond the most', () => {
    const items = Array.from({ length: 10_050 }, (_, index) => streamed(index + 1));
    expect(outcomesOf(run('span', { version: 2, items }))).toEqual([
      ['span', 'accepted', 10_000],
      ['span', 'invalid:too_many_spans', 50],
    ]);
  });

  test('what the settings ask for is filled in', () => {
    const userAgent =
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36';
    const attributes = typed({ 'sentry.sdk.name': 'sentry.javascript.nextjs' });
    const items = [streamed(1, { is_segment: true, attributes })];
    const row = (settings: unknown, overrides = {}) =>
      spansOf(run('span', { version: 2, ingest_settings: settings, items }, { userAgent, ...overrides }))[0];
    const asked = row({ infer_ip: 'auto', infer_user_agent: 'auto' });
    expect(asked).toMatchObject({
      platform: 'javascript',
      user: 'ip:203.0.113.9',
      attributes: { 'browser.name': 'Chrome', 'os.name': 'Linux', 'user_agent.original': userAgent },
    });
    expect(row(undefined)).toMatchObject({ platform: 'node', user: '', attributes: {} });
  });

  test('an envelope of another project says nothing but a name', () => {
    const trace = { public_key: 'f'.repeat(32), release: 'other@1', transaction: '/v10/cart', environment: 'other' };
    const attributes = typed({ 'sentry.segment.id': id(9), 'sentry.segment.name': '/v10/cart' });
    const items = [streamed(1, { attributes })];
    const rows = (overrides: object) => spansOf(run('span', { version: 2, items }, overrides));
    expect(rows({ trace })[0]).toMatchObject({
      project_id: 1,
      release: '',
      environment: '',
      transaction: '/v10/cart',
      segment_id: id(9),
    });
    // Where no one says that the name is one, what looks like an id goes.
    expect(rows({})[0]?.transaction).toBe('/*/cart');
  });

  test('spans take the source of the name from the segment beside them', () => {
    const name = { 'sentry.segment.id': id(1), 'sentry.segment.name': '/users/1234' };
    const items = [
      streamed(2, { parent_span_id: id(1), attributes: typed(name) }),
      streamed(1, {
        is_segment: true,
        name: '/users/1234',
        attributes: typed({ ...name, 'sentry.segment.name.source': 'url' }),
      }),
    ];
    const rows = spansOf(run('span', { version: 2, items }));
    expect(rows.map(({ transaction: of, transaction_source }) => [of, transaction_source])).toEqual([
      ['/users/*', 'url'],
      ['/users/*', 'url'],
    ]);
  });

  test('hostile attributes', () => {
    const attributes = `{"__proto__":{"value":1},"a":{"value":{"b":1},"type":"object"},"bare":"x","nothing":{"value":null},
      "big":{"value":"12345678901234567","type":"integer"},"nul":{"value":"a\\u0000b"},"lone":{"value":"\\ud800"},
      "deep":{"value":${'['.repeat(50_000)}${']'.repeat(50_000)}}}`;
    const good = JSON.stringify(streamed(1, { name: 'a\0b\ud800' })).replace(
      '"attributes":{}',
      `"attributes":${attributes}`,
    );
    const bad = `{"trace_id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const result = run('span', `{"version":2,"items":[${good},${bad}]}`);
    expect(outcomesOf(result)).toEqual([
      ['span', 'accepted', 1],
      ['span', 'invalid:bad_trace_id', 1],
    ]);
    const [row] = spansOf(result);
    expect(row).toMatchObject({
      name: 'a\uFFFDb\uFFFD',
      attributes: { a: '{"b":1}', bare: 'x', nul: 'a\uFFFDb', lone: '\uFFFD', big: '12345678901234567' },
    });
    expect(Object.hasOwn(row?.attributes ?? {}, '__proto__')).toBe(false);
  });

  test('links are bounded, bad ones left out', () => {
    const link = {
      trace_id: 'a'.repeat(32),
      span_id: id(3),
      attributes: typed({ 'sentry.link.type': 'previous_trace' }),
    };
    const links = [{ trace_id: 'x' }, ...Array.from({ length: 500 }, () => link)];
    const [row] = spansOf(run('span', { version: 2, items: [streamed(1, { links })] }));
    expect(JSON.parse(row?.links ?? '')).toHaveLength(100);
    expect(remarksOf(row)).toEqual(['cut']);
  });
});

test('a span alone, as SDKs up to 10 send vitals', () => {
  const span = {
    trace_id: traceId,
    span_id: id(1),
    segment_id: id(1),
    parent_span_id: undefined,
    is_segment: true,
    description: 'body > button#go',
    op: 'ui.interaction.click',
    origin: 'auto.http.browser.inp',
    start_timestamp: end - 1,
    timestamp: end,
    exclusive_time: 40,
    measurements: { inp: { value: 40, unit: 'millisecond' } },
    data: {
      release: 'shop@1',
      environment: 'production',
      transaction: '/cart',
      'sentry.sdk.name': 'sentry.javascript.browser',
    },
  };
  const result = run('span', span);
  expect(outcomesOf(result)).toEqual([['span', 'accepted', 1]]);
  expect(spansOf(result)[0]).toMatchObject({
    is_segment: 0,
    segment_id: id(1),
    op: 'ui.interaction.click',
    transaction: '/cart',
    exclusive_us: 40_000,
    numbers: { inp: 40 },
    release: 'shop@1',
    environment: 'production',
    platform: 'javascript',
    user: 'ip:203.0.113.9',
  });
  expect(outcomesOf(run('span', { ...span, timestamp: undefined }))).toEqual([['span', 'invalid:no_end_timestamp', 1]]);
  expect(outcomesOf(run('span', { ...span, trace_id: '' }))).toEqual([['span', 'invalid:bad_trace_id', 1]]);
});

describe('anything', () => {
  const leaf = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(
      traceId,
      rootId,
      id(1),
      end,
      end - 1,
      'ok',
      'error',
      '{{auto}}',
      '\0\ud800',
      'SELECT 1',
      'https://a/b?c=d',
    ),
  );
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4, depthSize: 'small' },
      leaf,
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(
        fc.constantFrom(
          'value',
          'type',
          'data',
          'attributes',
          'url.full',
          'sentry.op',
          'http.status_code',
          'token',
          '__proto__',
        ),
        tie('json'),
        { maxKeys: 6 },
      ),
    ),
  }));
  const fields = [
    'trace_id',
    'span_id',
    'parent_span_id',
    'start_timestamp',
    'timestamp',
    'end_timestamp',
    'name',
    'description',
    'op',
    'status',
    'is_segment',
    'attributes',
    'data',
    'links',
    'tags',
    'measurements',
    'contexts',
    'user',
    'request',
    'transaction',
    'transaction_info',
    'spans',
  ];
  const changes = fc.dictionary(fc.constantFrom(...fields), json, { maxKeys: 6 });

  test.each(['transaction', 'span'])('in any place of a %s ends in rows that can be stored', (type) => {
    fc.assert(
      fc.property(changes, fc.array(changes, { maxLength: 5 }), (outer, inner) => {
        const make = type === 'span' ? streamed : child;
        const spans = inner.map((changed, index) => ({ ...make(index + 1), ...changed }));
        const payload = type === 'span' ? { version: 2, items: spans } : transaction({ spans, ...outer });
        const result = run(type, payload);
        expect(outcomesOf(result).map(([, outcome]) => outcome)).not.toContain('invalid:internal');
        for (const row of spansOf(result)) {
          const { attributes, numbers, ...columns } = row;
          for (const value of Object.values(numbers)) expect(Number.isFinite(value)).toBe(true);
          for (const text of [...Object.entries(attributes).flat(), ...Object.values(columns)]) {
            if (typeof text === 'string') expect(text.isWellFormed() && !text.includes('\0')).toBe(true);
            else expect(Number.isSafeInteger(text)).toBe(true);
          }
          expect(row.duration_us).toBeGreaterThanOrEqual(0);
          expect(row.exclusive_us).toBeLessThanOrEqual(row.duration_us);
          expect(row.started_at).toBeLessThanOrEqual(receivedAt * 1000 + 60_000_000);
        }
      }),
      { numRuns: 300 },
    );
  });
});
