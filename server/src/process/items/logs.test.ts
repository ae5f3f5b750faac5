/** Logs of Sentry's SDKs, those that they do not send, and those that unmodified SDKs sent. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { parseEnvelope } from '@culprit/envelope';
import { describe, expect, test } from 'vitest';
import type { LogRow } from '../../base/tables/logs.ts';
import { sharedFolder } from '../steps/conformance-data.ts';
import type { ItemContext, ItemResult } from '../types.ts';
import { processItem } from './index.ts';
import { context, outcomesOf, receivedAt, run } from './testing.ts';

const traceId = 'f0d99aa356a54a5aab63d5be80d7614a';
const spanId = '9c0c30ed7280d801';
const now = receivedAt / 1000 - 1;

const log = (fields: Record<string, unknown> = {}, attributes: Record<string, unknown> = {}) => ({
  timestamp: now,
  trace_id: traceId,
  level: 'info',
  severity_number: 9,
  body: 'basket loaded',
  attributes,
  ...fields,
});
const text = (value: string) => ({ value, type: 'string' });

const runLogs = (items: readonly unknown[], overrides: Partial<ItemContext> = {}, container: object = {}): ItemResult =>
  run('log', { version: 2, ...container, items }, overrides);

function only({ rows: { logs = [] } = {} }: ItemResult): LogRow {
  const [row] = logs;
  if (!row || logs.length !== 1) throw new Error(`expected one row, got ${logs.length}`);
  return row;
}

const whatOf = ({ remarks }: LogRow): string[] =>
  (JSON.parse(remarks || '[]') as { what: string }[]).map(({ what }) => what);

test('a log says all that its entry says', () => {
  const attributes = {
    'sentry.release': text('shop-api@1.2.3'),
    'sentry.environment': text('production'),
    'sentry.sdk.name': text('sentry.javascript.node'),
    'sentry.sdk.version': text('11.12.0'),
    'sentry.origin': text('auto.log.console'),
    'sentry.message.template': text('user %s bought %s items'),
    'sentry.message.parameter.1': { value: 3, type: 'integer' },
    'sentry.trace.parent_span_id': text(spanId),
    'sentry.timestamp.sequence': { value: 2, type: 'integer' },
    'server.address': text('web-01'),
    'http.method': text('GET'),
    total: { value: 50.25, type: 'double' },
    vip: { value: true, type: 'boolean' },
    list: { value: ['a', 'b'], type: 'array' },
    api_key: text('hunter2'),
    ['__proto__']: text('no'),
  };
  const result = runLogs([log({ timestamp: 1795229644.058956, level: 'warn', severity_number: 13 }, attributes)], {
    receivedAt: 1_795_229_645_000,
    sentAt: 1_795_229_644_900,
  });
  expect(outcomesOf(result)).toEqual([['log_item', 'accepted', 1]]);
  expect(only(result)).toEqual({
    project_id: 1,
    timestamp: 1_795_229_644_058_956,
    sequence: 2_000_000,
    observed_at: 1_795_229_644_058_956,
    received_at: 1_795_229_645_000,
    trace_id: traceId,
    span_id: spanId,
    level: 'warn',
    severity_number: 13,
    body: 'basket loaded',
    origin: 'auto.log.console',
    service: 'web-01',
    environment: 'production',
    release: 'shop-api@1.2.3',
    sdk_name: 'sentry.javascript.node',
    sdk_version: '11.12.0',
    attributes: {
      'sentry.message.template': 'user %s bought %s items',
      'server.address': 'web-01',
      'http.request.method': 'GET',
      vip: 'true',
      list: '["a","b"]',
      api_key: '[Filtered]',
    },
    numbers: { 'sentry.message.parameter.1': 3, total: 50.25 },
    remarks: '',
  });
});

describe('severity', () => {
  test.each([
    [{ level: 'trace', severity_number: 1 }, 'trace', 1],
    [{ level: 'warning', severity_number: undefined }, 'warn', 13],
    [{ level: 'CRITICAL', severity_number: 21 }, 'fatal', 21],
    [{ level: 'error', severity_number: 3 }, 'error', 17],
    [{ level: 'loud', severity_number: 20 }, 'error', 20],
    [{ level: undefined, severity_number: 24 }, 'fatal', 24],
    [{ level: undefined, severity_number: 25 }, 'info', 0],
    [{ level: {}, severity_number: 2 ** 33 + 1 }, 'info', 0],
    [{ level: 'x'.repeat(10_000), severity_number: '9' }, 'info', 0],
  ])('%j', (fields, level, number) => {
    const row = only(runLogs([log(fields)]));
    expect([row.level, row.severity_number]).toEqual([level, number]);
    expect(whatOf(row)).toEqual(number === 0 ? ['unknown_value'] : []);
  });
});

describe('what a body may be', () => {
  test.each([
    ['text', 'password=hunter2 of ada@example.com', 'password=[Filtered] of [email]'],
    ['nothing', '', ''],
    ['a number', 7, '7'],
    ['false', false, 'false'],
    ['an object', { cart: 1, token: 'abc' }, '{"cart":1,"token":"[Filtered]"}'],
    ['NUL and half a character', 'a\0b\ud83d', 'a\uFFFDb\uFFFD'],
  ])('%s', (_, body, stored) => {
    expect(only(runLogs([log({ body })])).body).toBe(stored);
  });

  test('a megabyte of it is cut, and says so', () => {
    const row = only(runLogs([log({ body: 'x'.repeat(1024 * 1024) })]));
    expect(row.body).toHaveLength(16_384);
    expect(row.body.endsWith('...')).toBe(true);
    expect(JSON.parse(row.remarks)).toEqual([{ field: 'body', what: 'cut', was: 1_048_576 }]);
    const list = only(runLogs([log({ body: Array.from({ length: 100_000 }, (_, index) => `entry ${index}`) })]));
    expect(list.body.length).toBeLessThanOrEqual(16_384);
  });

  test('one that nests without end is bounded', () => {
    const depth = 50_000;
    const body = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
    const result = run('log', `{"items":[{"timestamp":${now},"level":"info","body":${body}}]}`);
    expect(only(result).body.length).toBeLessThan(200);
  });
});

test('10,000 attributes, long names and long values are bounded, and it is said', () => {
  const attributes = Object.fromEntries(
    Array.from({ length: 10_000 }, (_, index) => [`a${index}`, { value: index, type: 'integer' }]),
  );
  const row = only(
    runLogs([log({}, { ['n'.repeat(500)]: text('x'), long: text('y'.repeat(1_000_000)), ...attributes })]),
  );
  expect(Object.keys(row.attributes).length + Object.keys(row.numbers).length).toBe(250);
  expect(row.attributes.long).toHaveLength(2000);
  expect(whatOf(row)).toEqual(['cut', 'cut']);
});

describe('times', () => {
  const day = 86_400;
  test.each([
    ['of a sender whose clock is years behind', now - 900 * day, receivedAt * 1000, ['past_timestamp']],
    ['of a sender whose clock is ahead', now + day, receivedAt * 1000, ['future_timestamp']],
    ['missing', undefined, receivedAt * 1000, ['missing']],
    ['no time', 'soon', receivedAt * 1000, ['missing']],
    ['with µs', 1795230009.123456, 1_795_230_009_123_456, []],
  ])('%s', (_, timestamp, stored, what) => {
    const row = only(runLogs([log({ timestamp })], { receivedAt, sentAt: undefined }));
    expect([row.timestamp, row.observed_at]).toEqual([stored, stored]);
    expect(whatOf(row)).toEqual(what);
  });

  test('one beyond sense moves none of the others', () => {
    const { rows: { logs = [] } = {} } = runLogs([
      log(),
      log({ timestamp: now - 400 * day }),
      log({ timestamp: now + 400 * day }),
    ]);
    expect(logs.map(({ timestamp }) => timestamp)).toEqual([
      now * 1e6,
      receivedAt * 1000 - 30 * day * 1e6,
      receivedAt * 1000,
    ]);
  });

  test('a clock that is hours off is corrected for all of them', () => {
    const { rows: { logs = [] } = {} } = runLogs([log({ timestamp: now - 7200 }), log({ timestamp: now - 7201 })], {
      sentAt: receivedAt - 7_200_000,
    });
    expect(logs.map((row) => [row.timestamp / 1e6 - now, whatOf(row)])).toEqual([
      [0, ['clock_drift']],
      [-1, ['clock_drift']],
    ]);
  });
});

test('logs of one moment keep their order', () => {
  const { rows: { logs = [] } = {} } = runLogs(Array.from({ length: 3 }, () => log()));
  expect(logs.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
  const large = only(runLogs([log({}, { 'sentry.timestamp.sequence': { value: 2 ** 52, type: 'integer' } })]));
  expect(large.sequence).toBeLessThan(2 ** 32);
});

describe('what is refused', () => {
  test('an entry alone, with its reason; the others are stored', () => {
    const result = runLogs([log(), 'x', log({ body: undefined }), null, log({ body: null })]);
    expect(result.rows?.logs).toHaveLength(1);
    expect(outcomesOf(result)).toEqual([
      ['log_item', 'accepted', 1],
      ['log_item', 'invalid:not_an_object', 2],
      ['log_item', 'invalid:no_body', 2],
    ]);
    expect(result.kept?.[0]?.row).toMatchObject({ item_type: 'log', reason: 'not_an_object' });
  });

  test.each([
    ['json', '{'],
    ['empty', { items: [] }],
    ['not_an_object', []],
    ['too_large', 'x'.repeat(13 * 1024 * 1024)],
  ])('a whole item: %s', (reason, payload) => {
    expect(outcomesOf(run('log', payload))).toEqual([['log_item', `invalid:${reason}`, 1]]);
  });

  test('more than one item may have', () => {
    const result = runLogs(Array.from({ length: 10_005 }, () => log({ attributes: undefined })));
    expect(outcomesOf(result)).toEqual([
      ['log_item', 'accepted', 10_000],
      ['log_item', 'invalid:too_many_logs', 5],
    ]);
  });
});

test('ids that are none leave the log without, and it is said', () => {
  const row = only(runLogs([log({ trace_id: '0'.repeat(32), span_id: 'xyz' })]));
  expect([row.trace_id, row.span_id]).toEqual(['', '']);
  expect(whatOf(row)).toEqual(['invalid_data', 'invalid_data']);
});

test('browsers are named where their SDK asks for it, and addresses kept where the project keeps them', () => {
  const userAgent =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36';
  const sdk = { 'sentry.sdk.name': text('sentry.javascript.react') };
  const asks = { ingest_settings: { infer_ip: 'auto', infer_user_agent: 'auto' } };
  const asked = only(runLogs([log({}, sdk)], { userAgent }, asks));
  expect(asked.attributes).toMatchObject({ 'browser.name': 'Chrome', 'user.ip_address': '203.0.113.9' });
  const unasked = only(runLogs([log({}, sdk)], { userAgent }));
  expect(unasked.attributes).toEqual({});
  const settings = { ...context.settings, storeIpAddresses: false };
  expect(only(runLogs([log({}, sdk)], { userAgent, settings }, asks)).attributes).not.toHaveProperty('user.ip_address');
});

test('whatever comes, every entry is counted once', () => {
  const entry = fc.oneof(
    fc.anything(),
    fc.record(
      {
        timestamp: fc.anything(),
        trace_id: fc.anything(),
        level: fc.anything(),
        severity_number: fc.anything(),
        body: fc.anything(),
        attributes: fc.dictionary(fc.string(), fc.anything()),
      },
      { requiredKeys: ['body'] },
    ),
  );
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 5 }), (items) => {
      const payload = JSON.stringify({ items }, (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      const result = run('log', payload);
      expect(outcomesOf(result).reduce((sum, [, , quantity]) => sum + quantity, 0)).toBe(items.length);
      for (const row of result.rows?.logs ?? []) {
        expect(Number.isSafeInteger(row.timestamp)).toBe(true);
        expect(JSON.stringify(row)).not.toMatch(/\\u0000|\\ud[89a-f]/);
      }
    }),
    { numRuns: 200 },
  );
});

const captures = sharedFolder('fixtures/captures', 'captured logs of SDKs 10 and 11') ?? '';

describe.skipIf(captures === '')('captured logs', () => {
  function captured(name: string): readonly LogRow[] {
    const { header, items } = parseEnvelope(readFileSync(join(captures, `${name}.body`)));
    // A little after the first of them.
    const [first] = (JSON.parse(Buffer.from(items[0]?.payload ?? []).toString()) as { items: { timestamp: number }[] })
      .items;
    return items.flatMap((item) => {
      const result = processItem(item, {
        ...context,
        receivedAt: Math.round((first?.timestamp ?? 0) * 1000) + 50,
        sentAt: header.sent_at ? Date.parse(String(header.sent_at)) : undefined,
      });
      expect(result.outcomes.every(({ outcome }) => outcome.kind === 'accepted')).toBe(true);
      return result.rows?.logs ?? [];
    });
  }
  const outline = (rows: readonly LogRow[]): string[] =>
    rows.map((row) => [row.level, row.severity_number, row.timestamp, row.sequence, row.body].join(' | '));

  test('SDK 11 on a server: all levels, a template, numbers, and what it is not to keep', () => {
    const rows = captured('node-logs/02-log');
    expect(outline(rows)).toMatchInlineSnapshot(`
      [
        "trace | 1 | 1795229644058956 | 0 | starting connection",
        "debug | 5 | 1795229644059588 | 1 | cache hit",
        "info | 9 | 1795229644059969 | 1000002 | user ada bought 3 items",
        "warn | 13 | 1795229644060147 | 3 | rate limit near",
        "error | 17 | 1795229644060243 | 1000004 | payment failed",
        "fatal | 21 | 1795229644060390 | 2000005 | db pool exhausted",
        "info | 9 | 1795229644061801 | 6 | inside a span",
      ]
    `);
    const common = {
      trace_id: 'f4a115b5d40c4e61b96f1692fcd6ec9b',
      service: 'web-01',
      environment: 'production',
      release: 'shop-api@1.2.3',
      sdk_name: 'sentry.javascript.node',
      sdk_version: '11.12.0',
      remarks: '',
    };
    for (const row of rows) expect(row).toMatchObject(common);
    expect(rows.map(({ span_id }) => span_id)).toEqual(['', '', '', '', '', '', 'b885c429f2ca6d44']);
    expect(rows.map(({ attributes, numbers }) => ({ attributes, numbers }))).toMatchInlineSnapshot(`
      [
        {
          "attributes": {
            "database": "orders",
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
          },
          "numbers": {},
        },
        {
          "attributes": {
            "key": "basket:7",
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
          },
          "numbers": {
            "ttl": 12.5,
          },
        },
        {
          "attributes": {
            "sentry.message.parameter.0": "ada",
            "sentry.message.template": "user %s bought %s items",
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
            "vip": "true",
          },
          "numbers": {
            "sentry.message.parameter.1": 3,
            "total": 50.25,
          },
        },
        {
          "attributes": {
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
          },
          "numbers": {
            "used": 95,
          },
        },
        {
          "attributes": {
            "arr": "["x","y"]",
            "nested": "{"a":1}",
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
          },
          "numbers": {
            "order": 7,
          },
        },
        {
          "attributes": {
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
          },
          "numbers": {
            "active": 100,
          },
        },
        {
          "attributes": {
            "server.address": "web-01",
            "user.email": "ada@example.com",
            "user.id": "u-42",
          },
          "numbers": {},
        },
      ]
    `);
  });

  test('SDK 11 in a browser: the span that it was written in', () => {
    const rows = captured('browser-logs-metrics/03-log');
    expect(outline(rows)).toMatchInlineSnapshot(`
      [
        "info | 9 | 1795230052993300 | 0 | user ada clicked",
        "error | 17 | 1795230052993900 | 1000001 | boom",
      ]
    `);
    for (const row of rows) {
      expect(row).toMatchObject({
        trace_id: '282a0fc326b24650b16bed99f01112ae',
        span_id: '892745895da05cd1',
        service: '',
        release: 'web@5.6.7',
        sdk_name: 'sentry.javascript.react',
      });
    }
    expect(rows[0]).toMatchObject({
      attributes: {
        'sentry.message.template': 'user %s clicked',
        'sentry.message.parameter.0': 'ada',
        'user.ip_address': '203.0.113.9',
      },
      numbers: { n: 1 },
    });
  });

  test('SDK 10', () => {
    expect(captured('node-v10/01-log')).toMatchObject([
      {
        timestamp: 1_795_230_190_712_975,
        trace_id: '11ae3188b56443ccb8a63a7b8fa74cb6',
        span_id: '8d376342369469b8',
        level: 'info',
        body: 'v10 log',
        service: 'web-01',
        sdk_version: '10.78.0',
        attributes: { 'server.address': 'web-01' },
        numbers: { a: 1 },
      },
    ]);
  });
});
