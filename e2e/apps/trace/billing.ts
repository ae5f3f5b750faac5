/** What delivery costs: OpenTelemetry's SDK alone. Where it sends, and as whom, stands in the standard variables. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { context, propagation, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { announce, onStop } from './serve.ts';

const language = resourceFromAttributes({ 'telemetry.sdk.name': 'opentelemetry', 'telemetry.sdk.language': 'nodejs' });
const tracing = new TracerProvider({
  resource: language.merge(detectResources({ detectors: [envDetector] })),
  spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
});
const tracer = tracing.getTracer('billing', '1.0');
propagation.setGlobalPropagator(new W3CTraceContextPropagator());

function fail(span: Span, error: Error): void {
  span.recordException(error);
  span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
}

/** Asks the warehouse, as a client that knows nothing of Sentry. */
async function ask(url: string, parent: Span): Promise<number> {
  const attributes = { 'http.request.method': 'GET', 'url.full': url };
  const span = tracer.startSpan('GET', { kind: SpanKind.CLIENT, attributes }, trace.setSpan(ROOT_CONTEXT, parent));
  const headers: Record<string, string> = {};
  propagation.inject(trace.setSpan(ROOT_CONTEXT, span), headers);
  const { status } = await fetch(url, { headers });
  span.setAttribute('http.response.status_code', status);
  if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
  return status;
}

async function quote(request: IncomingMessage, server: Span): Promise<{ price: number }> {
  const { warehouse } = JSON.parse(await text(request)) as { warehouse: string };
  const span = tracer.startSpan('delivery price', {}, trace.setSpan(ROOT_CONTEXT, server));
  try {
    const status = await ask(warehouse, span);
    if (status !== 200) throw new TypeError(`no price: the warehouse answered ${status}`);
    return { price: 4 };
  } catch (error) {
    fail(span, error as Error);
    // The usual one, where nobody knows better.
    return { price: 9 };
  } finally {
    span.end();
  }
}

async function respond(request: IncomingMessage, response: ServerResponse, span: Span): Promise<void> {
  const answer = await quote(request, span);
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  span.setAttribute('http.response.status_code', 200);
  span.end();
}

const server = createServer((request, response) => {
  const attributes = { 'http.request.method': 'POST', 'http.route': '/quotes', 'url.path': '/quotes' };
  const caller = propagation.extract(context.active(), request.headers);
  const span = tracer.startSpan('POST /quotes', { kind: SpanKind.SERVER, attributes }, caller);
  void respond(request, response, span);
});
server.listen(0, '127.0.0.1', () => announce(server));
onStop(() => tracing.shutdown());
