// One request of a service, as OpenTelemetry's SDK records it; where to send stands in the standard environment variables.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPLogExporter } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

const exporter = process.env.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json' ? new JsonExporter() : new ProtobufExporter();
const language = resourceFromAttributes({ 'telemetry.sdk.name': 'opentelemetry', 'telemetry.sdk.language': 'nodejs' });
const resource = language.merge(detectResources({ detectors: [envDetector] }));
const tracing = new TracerProvider({ resource, spanProcessors: [new BatchSpanProcessor({ exporter })] });
const logging = new LoggerProvider({
  resource,
  processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })],
});

const tracer = tracing.getTracer('billing', '1.0');
const attributes = { 'http.request.method': 'POST', 'http.route': '/invoice/:id', 'url.path': '/invoice/7' };
const root = tracer.startSpan('POST /invoice/:id', { kind: SpanKind.SERVER, attributes });
const inRoot = trace.setSpan(context.active(), root);

const queryAttributes = { 'db.system.name': 'postgresql', 'db.query.text': 'SELECT * FROM invoices WHERE id = 7' };
tracer.startSpan('SELECT invoices', { kind: SpanKind.CLIENT, attributes: queryAttributes }, inRoot).end();

const linked = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 };
const tax = tracer.startSpan('tax rate', { attributes: { region: 'eu' }, links: [{ context: linked }] }, inRoot);
try {
  taxRate();
} catch (error) {
  tax.recordException(error);
  root.recordException(error);
  tax.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}
tax.end();
logging
  .getLogger('billing')
  .emit({ body: 'invoice failed', severityNumber: 17, attributes: { invoice: 7 }, context: inRoot });
root.setAttribute('http.response.status_code', 500);
root.setStatus({ code: SpanStatusCode.ERROR });
root.end();

function taxRate() {
  throw new TypeError(`no tax rate in ${process.env.OTEL_SERVICE_NAME}`);
}

await Promise.all([tracing.shutdown(), logging.shutdown()]);
process.stdout.write(root.spanContext().traceId);
