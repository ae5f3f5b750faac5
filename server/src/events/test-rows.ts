/** Rows for tests: ordinary in every column that a test does not set. */
import type { ErrorRow } from './tables.ts';

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
    ...columns,
  };
}
