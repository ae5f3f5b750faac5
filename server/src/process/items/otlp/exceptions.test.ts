/** Exceptions that spans of OpenTelemetry recorded, as events. */
import { expect, test } from 'vitest';
import { madeSpan, madeTraceId, text, tracesOf } from '../../../base/otlp/made.ts';
import { signals } from '../../../base/otlp/index.ts';
import { outcomesOf } from '../testing.ts';
import { types } from './index.ts';
import { context, run, only } from './testing.ts';

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
