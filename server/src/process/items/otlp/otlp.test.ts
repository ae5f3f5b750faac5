import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { SpanRow } from '../../../base/tables/spans.ts';
import { madeSpan, madeTraceId, text, toProtobuf, tracesOf } from '../../../base/otlp/made.ts';
import { signals, type Signal } from '../../../base/otlp/index.ts';
import type { ItemContext, ItemResult } from '../../types.ts';
import { context as usual, outcomesOf } from '../testing.ts';
import { types } from './index.ts';

/** A minute after the spans of the tests. */
const context: ItemContext = { ...usual, receivedAt: 1_795_229_919_000 };

function runBytes(
  signal: Signal,
  payload: Uint8Array,
  header: object,
  overrides: Partial<ItemContext> = {},
): ItemResult {
  const type = signals[signal].itemType;
  const process = types[type];
  if (!process) throw new Error(type);
  return finished(process({ type, header: { ...header }, payload }, { ...context, ...overrides }));
}

/** As if nothing was reported by an SDK, unless told. */
function finished(result: ItemResult, isReported = false): ItemResult {
  const rest = (result.maybeReported ?? []).map((error) => error.finish(isReported));
  return {
    ...result,
    outcomes: [...result.outcomes, ...rest.flatMap(({ outcomes }) => outcomes)],
    events: rest.flatMap(({ events }) => events ?? []),
  };
}

/** In both encodings, which must end alike. */
function run(signal: Signal, request: object, take = 1_000, overrides: Partial<ItemContext> = {}): ItemResult {
  const json = runBytes(signal, Buffer.from(JSON.stringify(request)), { form: 'json', take }, overrides);
  const protobuf = runBytes(signal, toProtobuf(signal, request), { form: 'protobuf', take }, overrides);
  expect(protobuf.rows?.spans).toEqual(json.rows?.spans);
  expect(protobuf.rows?.logs).toEqual(json.rows?.logs);
  expect(protobuf.outcomes).toEqual(json.outcomes);
  expect(protobuf.events?.map(({ row }) => row)).toEqual(json.events?.map(({ row }) => row));
  return json;
}

function spansOf(spans: readonly object[], resource?: readonly object[]): readonly SpanRow[] {
  return run('traces', tracesOf(spans, resource)).rows?.spans ?? [];
}

function only<Value>(values: readonly Value[] | undefined): Value {
  const [value] = values ?? [];
  if (value === undefined || values?.length !== 1) throw new Error(`expected one, got ${values?.length}`);
  return value;
}

const remarksOf = ({ remarks }: SpanRow): unknown[] => (remarks === '' ? [] : (JSON.parse(remarks) as unknown[]));

test('a server span becomes a segment', () => {
  const row = only(
    spansOf(
      [
        madeSpan({
          attributes: [
            text('http.request.method', 'GET'),
            text('http.route', '/cart/:id'),
            { key: 'http.response.status_code', value: { intValue: '404' } },
            { key: 'list', value: { arrayValue: { values: [{ stringValue: 'x' }, { doubleValue: 1.5 }] } } },
            { key: 'map', value: { kvlistValue: { values: [text('k', 'v')] } } },
            { key: 'flag', value: { boolValue: true } },
            { key: 'ratio', value: { doubleValue: 0.25 } },
          ],
          events: [{ name: 'cache miss', timeUnixNano: '1795229859370000000', attributes: [text('cache.key', 'a')] }],
          links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), attributes: [text('why', 'batch')] }],
          status: { code: 2, message: 'gone' },
        }),
      ],
      [
        text('service.name', 'shop'),
        text('service.version', '2.0.1'),
        text('deployment.environment', 'staging'),
        text('telemetry.sdk.name', 'opentelemetry'),
        text('telemetry.sdk.version', '2.1.0'),
        text('telemetry.sdk.language', 'python'),
      ],
    ),
  );
  expect(row).toMatchObject({
    project_id: 1,
    trace_id: madeTraceId,
    span_id: 'eee19b7ec3c1b174',
    parent_span_id: '',
    segment_id: 'eee19b7ec3c1b174',
    is_segment: 1,
    started_at: 1_795_229_859_363_000,
    duration_us: 37_280,
    exclusive_us: -1,
    op: 'http.server',
    name: 'GET /cart',
    transaction: 'GET /cart',
    transaction_source: 'route',
    status: 'not_found',
    failed: 1,
    kind: 'server',
    service: 'shop',
    platform: 'python',
    environment: 'staging',
    release: '2.0.1',
    sdk_name: 'opentelemetry',
    sdk_version: '2.1.0',
    remarks: '',
  });
  expect(row.attributes).toMatchObject({
    'otel.scope.name': 'test',
    'http.request.method': 'GET',
    'sentry.status.message': 'gone',
    list: '["x",1.5]',
    map: '{"k":"v"}',
    flag: 'true',
  });
  expect(row.numbers).toEqual({ 'http.response.status_code': 404, ratio: 0.25 });
  expect(JSON.parse(row.events)).toEqual([
    { name: 'cache miss', at_us: 1_795_229_859_370_000, attributes: { 'cache.key': 'a' } },
  ]);
  expect(JSON.parse(row.links)).toEqual([
    { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), attributes: { why: 'batch' } },
  ]);
});

const parentSpanId = '1ebee5060473a66d';

test.each([
  ['no parent', {}, 1],
  ['zeros for a parent', { parentSpanId: '0'.repeat(16) }, 1],
  ['a local parent', { parentSpanId, flags: 0x101 }, 0],
  ['a remote parent', { parentSpanId, flags: 0x301, kind: 1 }, 1],
  ['a local parent of a server span', { parentSpanId, flags: 0x100, kind: 2 }, 0],
  ['an exporter that does not say: server', { parentSpanId, kind: 2 }, 1],
  ['an exporter that does not say: consumer', { parentSpanId, flags: 1, kind: 5 }, 1],
  ['an exporter that does not say: client', { parentSpanId, kind: 3 }, 0],
])('segment: %s', (_, change, isSegment) => {
  expect(only(spansOf([madeSpan(change)])).is_segment).toBe(isSegment);
});

test('spans learn of their segment as far as it came with them', () => {
  const id = (number: number): string => String(number).padStart(16, '0');
  const spans = [
    madeSpan({ spanId: id(3), parentSpanId: id(2), kind: 1, name: 'inner' }),
    madeSpan({ spanId: id(2), parentSpanId: id(1), kind: 1, name: 'outer' }),
    madeSpan({ spanId: id(1), name: 'GET /users/12345678' }),
    madeSpan({ spanId: id(5), parentSpanId: id(9), kind: 3, name: 'late' }),
    madeSpan({ spanId: id(6), parentSpanId: id(7), kind: 1, name: 'circle' }),
    madeSpan({ spanId: id(7), parentSpanId: id(6), kind: 1, name: 'circle' }),
    madeSpan({ spanId: id(8), parentSpanId: id(8), kind: 1, name: 'itself' }),
    madeSpan({ spanId: id(3), parentSpanId: id(2), kind: 1, name: 'twice' }),
  ];
  const rows = spansOf(spans);
  expect(rows.map((row) => [row.name, row.segment_id, row.transaction])).toEqual([
    ['inner', id(1), 'GET /users/*'],
    ['outer', id(1), 'GET /users/*'],
    ['GET /users/12345678', id(1), 'GET /users/*'],
    ['late', '', ''],
    ['circle', '', ''],
    ['circle', '', ''],
    ['itself', '', ''],
    ['twice', id(1), 'GET /users/*'],
  ]);
});

test.each([
  ['bad ids', { traceId: '0'.repeat(32) }, 'span', 'invalid:bad_trace_id'],
  ['a short span id', { spanId: 'ab' }, 'span', 'invalid:bad_span_id'],
])('%s: the span is refused, the others stay', (_, change, category, outcome) => {
  const result = run('traces', tracesOf([madeSpan(), madeSpan(change), madeSpan({ spanId: 'c'.repeat(16) })]));
  expect(outcomesOf(result)).toEqual([
    ['span', 'accepted', 2],
    [category, outcome, 1],
  ]);
  expect(result.kept?.map(({ row }) => [row.outcome, row.detail])).toEqual([
    ['invalid', expect.stringMatching(/no valid (?:trace|span) id/)],
  ]);
});

test('one damaged span does not lose the others', () => {
  const good = toProtobuf('traces', tracesOf([madeSpan()]));
  // A span whose trace id is a number.
  const bad = Buffer.from([0x0a, 6, 0x12, 4, 0x12, 2, 8, 1]);
  const result = runBytes('traces', Buffer.concat([bad, good]), { form: 'protobuf', take: 2 });
  expect(outcomesOf(result)).toEqual([
    ['span', 'invalid:invalid_otlp', 1],
    ['span', 'accepted', 1],
  ]);
  expect(only(result.kept).row.detail).toBe(
    'the field traceId of a record has the wrong wire type; not stored: it could not be scrubbed',
  );
});

test.each([
  ['negative duration', { endTimeUnixNano: '1795229859000000000' }, { duration_us: 0 }, 'negative_duration'],
  ['no end', { endTimeUnixNano: undefined }, { duration_us: 0 }, undefined],
  ['a year', { startTimeUnixNano: '1763693859000000000' }, { duration_us: expect.any(Number) }, 'long_span'],
  ['the last moment of 64 bits', { endTimeUnixNano: '18446744073709551615' }, { is_segment: 1 }, 'future_timestamp'],
  ['no time at all', { startTimeUnixNano: 0, endTimeUnixNano: '0' }, { duration_us: 0 }, 'past_timestamp'],
  ['an unknown kind', { kind: 99 }, { kind: '' }, 'invalid_data'],
  ['an unknown status', { status: { code: 7 } }, { status: '', failed: 0 }, 'invalid_data'],
  ['a parent that is no id', { parentSpanId: 'abcd' }, { parent_span_id: '' }, 'invalid_data'],
  ['what the sender dropped', { droppedAttributesCount: 7 }, {}, 'dropped_by_sender'],
])('%s', (_, change, expected, what) => {
  const row = only(spansOf([madeSpan(change)]));
  expect(row).toMatchObject(expected);
  expect(row.duration_us).toBeGreaterThanOrEqual(0);
  expect(remarksOf(row).map((remark) => (remark as { what: string }).what)).toEqual(what === undefined ? [] : [what]);
});

test('times as numbers, as some exporters write them', () => {
  const json = JSON.stringify(tracesOf([madeSpan()])).replaceAll(/"(1795\d{15})"/g, '$1');
  const row = only(runBytes('traces', Buffer.from(json), { form: 'json', take: 1 }).rows?.spans);
  expect([row.started_at, row.duration_us]).toEqual([1_795_229_859_363_001, 37_279]);
});

test('enums by name, as the JSON of protobuf has them', () => {
  const json = tracesOf([madeSpan({ kind: 'SPAN_KIND_CLIENT', status: { code: 'STATUS_CODE_ERROR' } })]);
  const row = only(runBytes('traces', Buffer.from(JSON.stringify(json)), { form: 'json', take: 1 }).rows?.spans);
  expect([row.kind, row.status]).toEqual(['client', 'unknown_error']);
});

test('attributes without end, and names that are traps', () => {
  const attributes = [
    text('__proto__', 'x'),
    text('constructor', 'y'),
    text('big', 'x'.repeat(2 ** 20)),
    text('nul', 'a\0b'),
    { key: 'deep', value: deep(40) },
    ...Array.from({ length: 10_000 }, (_, index) => text(`key${index}`, 'v')),
  ];
  const row = only(spansOf([madeSpan({ attributes })]));
  expect(Object.keys(row.attributes).length).toBeLessThanOrEqual(250);
  expect(row.attributes.constructor).toBe('y');
  expect(row.attributes.nul).toBe('a\uFFFDb');
  expect(row.attributes.big?.length).toBeLessThanOrEqual(2_003);
  expect(row.attributes.deep).toMatch(/^\[{5,8}/);
  expect(remarksOf(row)).toContainEqual({ field: 'big', what: 'cut', was: 2 ** 20 });
});

function deep(levels: number): object {
  return levels === 0 ? { stringValue: 'bottom' } : { arrayValue: { values: [deep(levels - 1)] } };
}

test('a resource of many long attributes is not repeated in each span as it came', () => {
  const resource = Array.from({ length: 2_000 }, (_, index) => text(`r${index}`, 'x'.repeat(5_000)));
  const rows = spansOf(
    Array.from({ length: 20 }, (_, index) => madeSpan({ spanId: String(index + 1).padStart(16, '0') })),
    [...resource, text('service.name', 'last')],
  );
  expect(rows).toHaveLength(20);
  for (const row of rows) {
    expect(row.service).toBe('last');
    expect(JSON.stringify(row.attributes).length).toBeLessThan(7_000);
    expect(remarksOf(row)).toEqual([{ field: 'resource', what: 'cut', was: 2_000 }]);
  }
});

test('secrets in attributes go', () => {
  const row = only(spansOf([madeSpan({ attributes: [text('password', 'hunter2'), text('db.password', 'hunter2')] })]));
  expect(JSON.stringify(row)).not.toContain('hunter2');
});

test('only as many are taken as the sender was told', () => {
  const spans = Array.from({ length: 10 }, (_, index) => madeSpan({ spanId: String(index + 1).padStart(16, '0') }));
  const result = run('traces', tracesOf(spans), 4);
  expect(outcomesOf(result)).toEqual([['span', 'accepted', 4]]);
  expect(result.rows?.spans).toHaveLength(4);
});

test.each([
  ['JSON', 'json', Buffer.from('{"resourceSpans":[{"scopeSpans":[{"spans":[nul]}]}]}'), /not JSON/],
  ['protobuf', 'protobuf', toProtobuf('traces', tracesOf([madeSpan()])).subarray(0, -2), /cut off/],
])('a request that turns out to be damaged is kept with the reason: %s', (_, form, payload, detail) => {
  const result = runBytes('traces', payload, { form, take: 3 });
  expect(outcomesOf(result)).toEqual([['span', 'invalid:invalid_otlp', 3]]);
  expect(only(result.kept).row.detail).toMatch(detail);
});

const stack = `TypeError: no price\n    at total (/srv/app/cart.js:12:5)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)`;

function exception(change: { at?: string; type?: string; stack?: string; escaped?: boolean } = {}): object {
  const attributes = [
    text('exception.type', change.type ?? 'TypeError'),
    text('exception.message', 'no price'),
    text('exception.stacktrace', change.stack ?? stack),
    ...(change.escaped === undefined ? [] : [{ key: 'exception.escaped', value: { boolValue: change.escaped } }]),
  ];
  return { name: 'exception', timeUnixNano: change.at ?? '1795229859400000000', attributes };
}

test('a recorded exception becomes an event of the same trace and span', () => {
  const child = madeSpan({
    spanId: 'c'.repeat(16),
    parentSpanId: 'eee19b7ec3c1b174',
    kind: 1,
    events: [exception({ escaped: true })],
  });
  const root = madeSpan({
    attributes: [
      text('http.request.method', 'GET'),
      text('url.full', 'https://shop.example.com/cart?x=1'),
      text('user.id', '42'),
    ],
  });
  const result = run('traces', tracesOf([child, root]));
  expect(outcomesOf(result)).toEqual([
    ['span', 'accepted', 2],
    ['error', 'accepted', 1],
  ]);
  const { row } = only(result.events);
  expect(row).toMatchObject({
    event_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    timestamp: 1_795_229_859_400,
    trace_id: madeTraceId,
    span_id: 'c'.repeat(16),
    platform: 'node',
    transaction: 'GET /cart',
    error_type: 'TypeError',
    error_value: 'no price',
    handled: 0,
    mechanism: 'opentelemetry',
    user: 'id:42',
    tags: { service: 'shop' },
  });
  const payload = JSON.parse(row.payload) as {
    exception: { values: { stacktrace: { frames: object[] } }[] };
    request: object;
  };
  expect(payload.exception.values[0]?.stacktrace.frames).toMatchObject([
    { function: 'process.processTicksAndRejections', in_app: false },
    { function: 'total', filename: '/srv/app/cart.js', lineno: 12, colno: 5, in_app: true },
  ]);
  expect(payload.request).toMatchObject({ url: 'https://shop.example.com/cart', method: 'GET' });
});

test('an exception that rises through spans is one event, of the span where it came up', () => {
  const spans = [
    madeSpan({ events: [exception({ at: '1795229859390000000' })] }),
    // Its clock is behind, and yet the exception came up here.
    madeSpan({ spanId: 'a'.repeat(16), parentSpanId: 'eee19b7ec3c1b174', kind: 1, events: [exception()] }),
    madeSpan({ spanId: 'b'.repeat(16), events: [exception({ type: 'RangeError' })] }),
    madeSpan({ traceId: 'd'.repeat(32), events: [exception()] }),
  ];
  const { events = [] } = run('traces', tracesOf(spans));
  expect(events.map(({ row }) => [row.trace_id, row.span_id, row.error_type])).toEqual([
    [madeTraceId, 'a'.repeat(16), 'TypeError'],
    [madeTraceId, 'b'.repeat(16), 'RangeError'],
    ['d'.repeat(32), 'eee19b7ec3c1b174', 'TypeError'],
  ]);
});

test('an exception that the inner span recorded, and its caller by hand, is one event of the inner span', () => {
  const resource = { attributes: [text('telemetry.sdk.language', 'python')] };
  const at = (...calls: string[]): string =>
    ['Traceback (most recent call last):', ...calls.map((call) => `  File "/app/${call}`), 'ValueError: x'].join('\n');
  const record = (stack: string) => ({
    name: 'exception',
    timeUnixNano: '1795229859400000000',
    attributes: [
      text('exception.type', 'ValueError'),
      text('exception.message', 'x'),
      text('exception.stacktrace', stack),
    ],
  });
  const read = 'cart.py", line 3, in read';
  const spans = [
    madeSpan({ events: [record(at('app.py", line 9, in main', read)), record(at('cart.py", line 4, in read'))] }),
    madeSpan({ spanId: 'a'.repeat(16), parentSpanId: 'eee19b7ec3c1b174', kind: 1, events: [record(at(read))] }),
  ];
  const { events = [] } = run('traces', { resourceSpans: [{ resource, scopeSpans: [{ spans }] }] });
  expect(events.map(({ row }) => [row.span_id, row.error_type, row.platform])).toEqual([
    ['a'.repeat(16), 'ValueError', 'python'],
    ['eee19b7ec3c1b174', 'ValueError', 'python'],
  ]);
});

test('what is sent again is the same event', () => {
  const request = tracesOf([madeSpan({ events: [exception()] })]);
  const ids = [0, 1000].map((later) => {
    const overrides = { receivedAt: context.receivedAt + later };
    return only(run('traces', request, 10, overrides).events).row.event_id;
  });
  expect(ids[0]).toBe(ids[1]);
});

test('what an SDK reported too is left to its event', () => {
  const payload = Buffer.from(JSON.stringify(tracesOf([madeSpan({ events: [exception()] })])));
  const result = types[signals.traces.itemType]?.(
    { type: 'otlp_traces', header: { form: 'json', take: 1 }, payload },
    context,
  );
  const { finish, ...error } = only(result?.maybeReported);
  expect(error).toEqual({
    projectId: 1,
    traceId: madeTraceId,
    by: 'opentelemetry',
    type: 'TypeError',
    value: 'no price',
    at: 1_795_229_859_400,
  });
  expect(outcomesOf(finish(true))).toEqual([['error', 'filtered:reported_by_sdk', 1]]);
});

test('a span of an SDK that reports its errors itself makes no event', () => {
  const result = run(
    'traces',
    tracesOf([madeSpan({ attributes: [text('sentry.origin', 'auto.http')], events: [exception()] })]),
  );
  expect(outcomesOf(result)).toEqual([['span', 'accepted', 1]]);
  expect(result.rows?.spans?.[0]?.events).toContain('exception.type');
});

test('exceptions without end are counted', () => {
  const events = Array.from({ length: 300 }, (_, index) => exception({ type: `E${index}` }));
  const result = run('traces', tracesOf([madeSpan({ events })]));
  expect(outcomesOf({ outcomes: result.outcomes.filter(({ outcome }) => outcome.kind !== 'accepted') })).toEqual([
    ['error', 'invalid:too_many', 100],
  ]);
  expect(result.events).toHaveLength(200);
});

test('logs become rows, with what their resource and scope say', () => {
  const resource = {
    attributes: [
      text('service.name', 'shop'),
      text('service.version', '4.5.6'),
      text('deployment.environment.name', 'staging'),
      text('api_key', 'hunter2'),
    ],
  };
  const result = run('logs', {
    resourceLogs: [
      {
        resource,
        scopeLogs: [
          {
            scope: { name: 'app', version: '1' },
            logRecords: [
              {
                timeUnixNano: '1795229859424000123',
                observedTimeUnixNano: '1795229859425000000',
                severityNumber: 18,
                severityText: 'ERROR2',
                body: { kvlistValue: { values: [text('a', 'b'), text('password', 'hunter2')] } },
                attributes: [
                  text('password', 'hunter2'),
                  { key: 'n', value: { intValue: '1' } },
                  text('http.method', 'GET'),
                ],
                droppedAttributesCount: 2,
                traceId: madeTraceId,
                spanId: 'b'.repeat(16),
              },
              {
                timeUnixNano: '1795229859424000123',
                body: { stringValue: 'card 4111 1111 1111 1111' },
                severityText: 'Warning',
              },
            ],
          },
        ],
      },
    ],
  });
  expect(outcomesOf(result)).toEqual([['log_item', 'accepted', 2]]);
  const shared = {
    received_at: context.receivedAt,
    service: 'shop',
    release: '4.5.6',
    environment: 'staging',
    origin: '',
  };
  expect(result.rows?.logs).toMatchObject([
    {
      ...shared,
      timestamp: 1_795_229_859_424_000,
      sequence: 123_000_000,
      observed_at: 1_795_229_859_425_000,
      trace_id: madeTraceId,
      span_id: 'b'.repeat(16),
      level: 'error',
      severity_number: 18,
      body: '{"a":"b","password":"[Filtered]"}',
      attributes: {
        api_key: '[Filtered]',
        password: '[Filtered]',
        'http.request.method': 'GET',
        'otel.scope.name': 'app',
        'otel.scope.version': '1',
        'severity.text': 'ERROR2',
      },
      numbers: { n: 1 },
      remarks: '[{"field":"attributes","what":"dropped_by_sender","was":2}]',
    },
    {
      ...shared,
      sequence: 123_000_001,
      trace_id: '',
      span_id: '',
      level: 'warn',
      severity_number: 13,
      body: 'card [Filtered]',
    },
  ]);
});

test('an exception in a log record is an event where the project asks for it', () => {
  const resource = {
    attributes: [text('service.name', 'shop'), text('telemetry.sdk.language', 'python'), text('host.name', 'web-3')],
  };
  const record = (change: { trace?: string; stack?: string; attributes?: object[] } = {}) => ({
    timeUnixNano: '1795229859424000000',
    severityNumber: 17,
    body: { stringValue: 'could not pay' },
    traceId: change.trace ?? madeTraceId,
    spanId: 'b'.repeat(16),
    attributes: change.attributes ?? [
      text('exception.type', 'KeyError'),
      text('exception.message', "'a'"),
      text(
        'exception.stacktrace',
        change.stack ??
          `Traceback (most recent call last):
  File "/app/shop/cart.py", line 3, in pay
    raise KeyError('a') from error
KeyError: 'a'`,
      ),
    ],
  });
  const logRecords = [record(), record(), record({ trace: '' }), record({ trace: '' }), record({ attributes: [] })];
  const request = { resourceLogs: [{ resource, scopeLogs: [{ scope: { name: 'shop.pay' }, logRecords }] }] };
  expect(run('logs', request).events ?? []).toEqual([]);
  const settings = { ...context.settings, logExceptions: true };
  const { events = [], rows, outcomes } = run('logs', request, 10, { settings });
  expect(rows?.logs).toHaveLength(5);
  expect(outcomesOf({ outcomes })).toEqual([
    ['log_item', 'accepted', 5],
    ...[1, 2, 3].map(() => ['error', 'accepted', 1]),
  ]);
  // Two in one trace are one; without a trace, nothing says so.
  expect(new Set(events.map(({ row }) => row.event_id)).size).toBe(3);
  expect(events.map(({ row }) => row.trace_id)).toEqual([madeTraceId, '', '']);
  expect(events[0]?.row).toMatchObject({
    span_id: 'b'.repeat(16),
    level: 'error',
    platform: 'python',
    error_type: 'KeyError',
    error_value: "'a'",
    mechanism: 'opentelemetry.log',
    message: 'could not pay',
    tags: { service: 'shop', server_name: 'web-3' },
  });
});

test('logs that exporters do not send', () => {
  const logsOf = (...logRecords: object[]) =>
    run('logs', { resourceLogs: [{ scopeLogs: [{ logRecords }] }] }).rows?.logs ?? [];
  const [empty, event, odd, late, early] = logsOf(
    {},
    { eventName: 'user.login', observedTimeUnixNano: '1795229859424000000' },
    { body: { intValue: '7' }, severityNumber: 77, severityText: 'LOUD', traceId: 'ff', spanId: '00' },
    { timeUnixNano: '1895229859424000000', body: { arrayValue: { values: [{ boolValue: true }] } } },
    { timeUnixNano: '1795000000000000', body: { stringValue: '\u0000' } },
  );
  expect(empty).toMatchObject({ body: '', level: 'info', severity_number: 0, timestamp: context.receivedAt * 1000 });
  expect(event).toMatchObject({
    body: 'user.login',
    timestamp: 1_795_229_859_424_000,
    attributes: { 'event.name': 'user.login' },
  });
  expect(odd).toMatchObject({
    body: '7',
    level: 'info',
    severity_number: 0,
    trace_id: '',
    attributes: { 'severity.text': 'LOUD' },
  });
  expect(late).toMatchObject({ body: '[true]', timestamp: context.receivedAt * 1000 });
  expect(late?.remarks).toContain('future_timestamp');
  expect(early).toMatchObject({ body: '\uFFFD', timestamp: (context.receivedAt - 30 * 86_400_000) * 1000 });
  expect(early?.remarks).toContain('past_timestamp');
});

test('metrics are kept as they came, scrubbed', () => {
  const point = {
    asDouble: 2,
    attributes: [text('region', 'eu')],
    exemplars: [{ filteredAttributes: [text('k', 'v')] }],
  };
  const metrics = run('metrics', {
    resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'n', sum: { dataPoints: [point] } }] }] }],
  });
  expect(outcomesOf(metrics)).toEqual([['trace_metric', 'accepted', 1]]);
  expect(JSON.parse(only(metrics.kept).row.payload)).toEqual({
    groups: [
      {
        resource: {},
        scope: { attributes: {} },
        records: [
          {
            name: 'n',
            sum: {
              dataPoints: [
                { asDouble: 2, attributes: { region: 'eu' }, exemplars: [{ filteredAttributes: { k: 'v' } }] },
              ],
            },
          },
        ],
      },
    ],
  });
});

const captures = new URL('../../../../../../shared/fixtures/captures/', import.meta.url);

test.skipIf(!existsSync(captures))('recorded requests (skipped: the shared captures are not here)', () => {
  const read = (path: string): Buffer => readFileSync(new URL(path, captures));
  for (const [directory, form] of [
    ['otlp-json', 'json'],
    ['otlp-proto', 'protobuf'],
  ] as const) {
    const at = { receivedAt: 1_795_229_860_000 };
    const traces = runBytes(
      'traces',
      read(`${directory}/01-post-integration-otlp-v1-traces.body`),
      { form, take: 3 },
      at,
    );
    expect(outcomesOf(traces)).toEqual([
      ['span', 'accepted', 3],
      ['error', 'accepted', 1],
    ]);
    const [query, call, root] = traces.rows?.spans ?? [];
    const common = {
      trace_id: root?.trace_id,
      segment_id: root?.span_id,
      transaction: 'POST /invoice',
      service: 'billing',
      release: '4.5.6',
      environment: 'production',
      platform: 'node',
      sdk_name: 'opentelemetry',
      exclusive_us: -1,
      remarks: '',
    };
    const ofResource = {
      'service.version': '4.5.6',
      'deployment.environment.name': 'production',
      'telemetry.sdk.name': 'opentelemetry',
      'telemetry.sdk.language': 'nodejs',
      'otel.scope.name': 'billing-lib',
      'otel.scope.version': '1.0',
    };
    expect(query).toMatchObject({
      ...common,
      parent_span_id: root?.span_id,
      is_segment: 0,
      op: 'db',
      name: 'SELECT invoices',
      description: 'SELECT * FROM invoices WHERE id = %s',
      kind: 'client',
      status: '',
      failed: 0,
    });
    expect(query?.attributes).toEqual({
      ...ofResource,
      'db.system.name': 'postgresql',
      'db.query.text': 'SELECT * FROM invoices WHERE id = $1',
    });
    expect(call).toMatchObject({
      ...common,
      parent_span_id: root?.span_id,
      is_segment: 0,
      op: 'http.client',
      name: 'GET',
      kind: 'client',
      status: 'unknown_error',
      failed: 1,
    });
    expect(call?.attributes).toEqual({
      ...ofResource,
      'http.request.method': 'GET',
      'url.full': 'https://tax.example.com/rate',
      'sentry.status.message': 'timeout',
    });
    expect(JSON.parse(call?.links ?? '')).toEqual([
      { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), attributes: {} },
    ]);
    expect(JSON.parse(call?.events ?? '')).toMatchObject([
      { name: 'exception', attributes: { 'exception.type': 'Error', 'exception.message': 'tax service timeout' } },
    ]);
    expect(root).toMatchObject({
      ...common,
      parent_span_id: '',
      is_segment: 1,
      op: 'http.server',
      name: 'POST /invoice',
      transaction_source: 'route',
      kind: 'server',
      status: 'internal_error',
      failed: 1,
    });
    expect(root?.attributes).toEqual({
      ...ofResource,
      'http.request.method': 'POST',
      'http.route': '/invoice',
      'url.path': '/invoice',
      'server.address': 'billing.example.com',
      b: 'true',
      arr: '["x","y"]',
    });
    expect(root?.numbers).toEqual({ 'http.response.status_code': 500, n: 1, f: 1.5 });
    const times = (traces.rows?.spans ?? []).map((row) => [row.started_at, row.duration_us]);
    expect(times).toEqual(
      form === 'json'
        ? [
            [1_795_229_859_363_000, 37_280],
            [1_795_229_859_407_000, 16_730],
            [1_795_229_859_362_000, 63_825],
          ]
        : [
            [1_795_229_857_364_000, 19_429],
            [1_795_229_857_384_000, 416],
            [1_795_229_857_355_000, 65_032],
          ],
    );
    expect(only(traces.events).row).toMatchObject({
      trace_id: root?.trace_id,
      span_id: call?.span_id,
      error_type: 'Error',
      error_value: 'tax service timeout',
      release: '4.5.6',
      environment: 'production',
      transaction: 'POST /invoice',
    });
    const logs = runBytes('logs', read(`${directory}/02-post-integration-otlp-v1-logs.body`), { form, take: 2 }, at);
    expect(outcomesOf(logs)).toEqual([['log_item', 'accepted', 2]]);
    const ofService = {
      trace_id: root?.trace_id,
      span_id: root?.span_id,
      service: 'billing',
      release: '4.5.6',
      environment: 'production',
      sdk_name: 'opentelemetry',
    };
    expect(logs.rows?.logs).toMatchObject([
      {
        ...ofService,
        level: 'error',
        severity_number: 17,
        body: 'invoice failed',
        attributes: { vip: 'true', 'otel.scope.name': 'billing-lib' },
        numbers: { invoice: 7 },
      },
      { ...ofService, level: 'info', severity_number: 9, body: '{"structured":"body","n":1}', numbers: {} },
    ]);
    const metrics = read(`${directory}/03-post-integration-otlp-v1-metrics.body`);
    expect(outcomesOf(runBytes('metrics', metrics, { form, take: 3 }, at))).toEqual([['trace_metric', 'accepted', 3]]);
  }
});
