/** Requests as real exporters sent them. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { outcomesOf } from '../testing.ts';
import { runBytes, only } from './testing.ts';

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
