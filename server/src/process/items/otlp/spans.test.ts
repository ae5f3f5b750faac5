/** Spans of OpenTelemetry as rows. */
import { expect, test } from 'vitest';
import { madeSpan, madeTraceId, text, toProtobuf, tracesOf } from '../../../base/otlp/made.ts';
import { outcomesOf } from '../testing.ts';
import { runBytes, run, spansOf, only, remarksOf } from './testing.ts';

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
