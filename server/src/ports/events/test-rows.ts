/** Rows for tests: ordinary in every column that a test does not set. */
import type { ErrorRow } from '../../base/tables/errors.ts';
import type { LogRow } from '../../base/tables/logs.ts';
import type { SpanRow } from '../../base/tables/spans.ts';

export function testErrorRow(columns: Partial<ErrorRow> = {}): ErrorRow {
  const now = Date.now();
  return {
    project_id: 1,
    group_hash: 'a'.repeat(32),
    group_hashes: [columns.group_hash ?? 'a'.repeat(32)],
    grouping_version: 'test:1',
    timestamp: now,
    received_at: now,
    event_id: 'e'.repeat(32),
    level: 'error',
    platform: 'javascript',
    environment: 'production',
    release: 'shop@1.0.0',
    dist: '',
    transaction: 'GET /cart',
    title: 'TypeError: x is undefined',
    culprit: 'cart.ts',
    message: '',
    error_type: 'TypeError',
    error_value: 'x is undefined',
    issue_type: '',
    handled: null,
    mechanism: 'generic',
    user: 'id:1',
    user_id: '1',
    user_email: '',
    user_username: '',
    user_ip: '',
    digest: '',
    trace_id: '',
    span_id: '',
    sdk_name: 'sentry.javascript.node',
    sdk_version: '10.0.0',
    tags: {},
    missing_scripts: [],
    payload: '{}',
    facts: columns.payload ?? '{}',
    ...columns,
  };
}

export function testSpanRow(columns: Partial<SpanRow> = {}): SpanRow {
  const now = Date.now();
  return {
    project_id: 1,
    trace_id: 'd'.repeat(32),
    span_id: 'b'.repeat(16),
    parent_span_id: '',
    segment_id: columns.span_id ?? 'b'.repeat(16),
    is_segment: 1,
    started_at: now * 1000,
    duration_us: 120_000,
    exclusive_us: 120_000,
    received_at: now,
    op: 'http.server',
    name: 'GET /cart',
    description: 'GET /cart',
    description_hash: '0'.repeat(16),
    transaction: 'GET /cart',
    transaction_source: 'route',
    status: 'ok',
    failed: 0,
    kind: 'server',
    origin: 'auto.http.otel.http',
    service: 'shop',
    platform: 'node',
    environment: 'production',
    release: 'shop@1.0.0',
    dist: '',
    user: 'id:1',
    sdk_name: 'sentry.javascript.node',
    sdk_version: '10.0.0',
    attributes: {},
    numbers: {},
    links: '',
    events: '',
    remarks: '',
    ...columns,
  };
}

export function testLogRow(columns: Partial<LogRow> = {}): LogRow {
  const now = Date.now();
  return {
    project_id: 1,
    timestamp: now * 1000,
    sequence: 0,
    observed_at: columns.timestamp ?? now * 1000,
    received_at: now,
    trace_id: 'd'.repeat(32),
    span_id: 'b'.repeat(16),
    level: 'info',
    severity_number: 9,
    body: 'cart loaded',
    origin: '',
    service: 'shop',
    environment: 'production',
    release: 'shop@1.0.0',
    sdk_name: 'sentry.javascript.node',
    sdk_version: '10.0.0',
    attributes: {},
    numbers: {},
    remarks: '',
    ...columns,
  };
}
