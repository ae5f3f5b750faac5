/** OpenTelemetry's own SDK and exporters, told where to send by the variables of the guide. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Server } from '../server/test/harness.ts';

let server: Server;

beforeAll(async () => {
  server = await Server.create();
});
afterAll(() => server?.[Symbol.asyncDispose]());

const app = fileURLToPath(new URL('apps/opentelemetry.mjs', import.meta.url));

interface TraceSpan {
  event_id: string;
  parent_span_id: string | null;
  op: string;
  name: string;
  transaction: string;
  is_transaction: boolean;
  span_status: string;
  duration: number;
  errors: { issue_id: number; title: string }[];
  children: TraceSpan[];
}

/** The trace id that the program made. */
async function runApp(service: string, env: Record<string, string>): Promise<string> {
  const settings = {
    OTEL_SERVICE_NAME: service,
    OTEL_RESOURCE_ATTRIBUTES: 'service.version=4.5.6,deployment.environment.name=production',
  };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [app], {
    env: { ...process.env, ...settings, ...env },
  });
  expect(stderr).toBe('');
  return stdout;
}

const publicKey = (): string => new URL(server.installed.dsn).username;
const project = (): string => new URL(server.installed.dsn).pathname.slice(1);

test.each([
  [
    'protobuf, standard path, bearer',
    'billing-protobuf',
    () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: server.url,
      OTEL_EXPORTER_OTLP_HEADERS: `Authorization=Bearer%20${publicKey()}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    }),
  ],
  [
    'protobuf with gzip, the path of a project, x-sentry-auth',
    'billing-gzip',
    () => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${server.url}/api/${project()}/integration/otlp`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-sentry-auth=sentry sentry_key=${publicKey()}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
    }),
  ],
  [
    'JSON, a path for each signal',
    'billing-json',
    () => ({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${server.url}/api/${project()}/otlp/v1/traces`,
      OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: `${server.url}/v1/logs/`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-sentry-auth=sentry%20sentry_key%3D${publicKey()}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    }),
  ],
])('%s', async (_, service, env) => {
  const traceId = await runApp(service, env());
  await server.drained();
  const path = `/organizations/${server.installed.organization}/trace/${traceId}/`;
  const trace = await server.until('the trace', async () => {
    const found = await server.api<TraceSpan[]>(path);
    return found[0]?.children.length === 2 ? found : undefined;
  });
  expect(trace).toHaveLength(1);
  const [root] = trace;
  expect(root).toMatchObject({
    op: 'http.server',
    name: 'POST /invoice/:id',
    transaction: 'POST /invoice/:id',
    is_transaction: true,
    parent_span_id: null,
    span_status: 'internal_error',
    errors: [],
  });
  // Both may begin in the same millisecond.
  const [query, tax] = (root?.children ?? []).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  expect(query).toMatchObject({
    op: 'db',
    name: 'SELECT invoices',
    parent_span_id: root?.event_id,
    is_transaction: false,
  });
  const title = `TypeError: no tax rate in ${service}`;
  expect(tax).toMatchObject({ name: 'tax rate', span_status: 'unknown_error', errors: [{ title }] });

  const events = await server.events();
  const stored = await events.query(
    `SELECT description, attributes['region'] AS region, release, environment, service, platform FROM spans
     WHERE trace_id = {trace:String} AND is_segment = 0 ORDER BY name`,
    { trace: traceId },
  );
  const common = { release: '4.5.6', environment: 'production', service, platform: 'node' };
  expect(stored).toEqual([
    { ...common, description: 'SELECT * FROM invoices WHERE id = %s', region: '' },
    { ...common, description: 'tax rate', region: 'eu' },
  ]);
  await events.close();
  const { data } = await server.api<{ data: Record<string, unknown>[] }>(
    `/organizations/${server.installed.organization}/trace-logs/?traceId=${traceId}`,
  );
  expect(data).toMatchObject([{ message: 'invoice failed', severity: 'error', severity_number: 17, trace: traceId }]);
  const log = await server.api<Record<string, unknown>>(
    `/organizations/${server.installed.organization}/logs/${String(data[0]?.id)}/`,
  );
  expect(log).toMatchObject({
    spanId: root?.event_id,
    service,
    release: '4.5.6',
    environment: 'production',
    numbers: { invoice: 7 },
    remarks: [],
  });
});

test('an error that an SDK reports, and a span records too, is one event', async () => {
  const traceId = 'c0ffee00'.repeat(4);
  const spanId = 'c0ffee00'.repeat(2);
  const auth = { authorization: `Bearer ${publicKey()}` };
  const now = Date.now();
  const reported = {
    event_id: 'd'.repeat(32),
    timestamp: now / 1000,
    platform: 'node',
    exception: { values: [{ type: 'TypeError', value: 'no price' }] },
    contexts: { trace: { trace_id: traceId, span_id: spanId } },
  };
  const envelope = `{"event_id":"${reported.event_id}"}\n{"type":"event"}\n${JSON.stringify(reported)}\n`;
  const first = await fetch(`${server.url}/api/${project()}/envelope/?sentry_key=${publicKey()}`, {
    method: 'POST',
    body: envelope,
  });
  expect(first.status).toBe(200);
  await server.drained();

  const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
  const exception = (type: string, message: string): object => ({
    name: 'exception',
    timeUnixNano: `${now}000000`,
    attributes: [text('exception.type', type), text('exception.message', message)],
  });
  const span = {
    traceId,
    spanId,
    name: 'GET /cart',
    kind: 2,
    startTimeUnixNano: `${now - 10}000000`,
    endTimeUnixNano: `${now}000000`,
    events: [exception('TypeError', 'no price'), exception('RangeError', 'of its own')],
  };
  const second = await fetch(`${server.url}/v1/traces`, {
    method: 'POST',
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
    headers: { ...auth, 'content-type': 'application/json' },
  });
  expect(await second.json()).toEqual({});
  const path = `/organizations/${server.installed.organization}/trace/${traceId}/`;
  const errors = await server.until('the second error', async () => {
    const [root] = await server.api<TraceSpan[]>(path);
    return root && root.errors.length > 1 ? root.errors : undefined;
  });
  expect(errors.map(({ title }) => title).toSorted()).toEqual(['RangeError: of its own', 'TypeError: no price']);
});
