/** Logs and metrics of OpenTelemetry, and exceptions in logs. */
import { expect, test } from 'vitest';
import { madeTraceId, text, toProtobuf } from '../../../base/otlp/made.ts';
import { outcomesOf } from '../testing.ts';
import { context, run, runBytes, only } from './testing.ts';

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

test('metrics are kept as they came, scrubbed, in either form', () => {
  const point = {
    asDouble: 2,
    attributes: [text('region', 'eu'), text('password', 'hunter2')],
    exemplars: [{ filteredAttributes: [text('k', 'v')] }],
  };
  const request = { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'n', sum: { dataPoints: [point] } }] }] }] };
  const forms = [
    ['json', Buffer.from(JSON.stringify(request))],
    ['protobuf', toProtobuf('metrics', request)],
  ] as const;
  for (const [form, bytes] of forms) {
    const metrics = runBytes('metrics', bytes, { form, take: 1 });
    expect(outcomesOf(metrics)).toEqual([['trace_metric', 'accepted', 1]]);
    const { row } = only(metrics.kept);
    expect(row.detail).toBe('');
    const attributes = { region: 'eu', password: '[Filtered]' };
    expect(JSON.parse(row.payload)).toEqual({
      groups: [
        {
          resource: {},
          scope: { attributes: {} },
          records: [
            {
              name: 'n',
              sum: { dataPoints: [{ asDouble: 2, attributes, exemplars: [{ filteredAttributes: { k: 'v' } }] }] },
            },
          ],
        },
      ],
    });
  }
});
