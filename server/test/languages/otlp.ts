/** What requests of OpenTelemetry say, read by its own definitions, in the form of rows. */
import type { LanguageFixture } from '../../../fixtures/index.ts';
import { typeNamed } from '../../src/base/otlp/made.ts';
import type { Signal } from '../../src/base/otlp/index.ts';
import { asKept } from './attributes.ts';
import { object, type Json } from './json.ts';

const requests = {
  traces: ['trace.v1.ExportTraceServiceRequest', 'resourceSpans', 'scopeSpans', 'spans'],
  logs: ['logs.v1.ExportLogsServiceRequest', 'resourceLogs', 'scopeLogs', 'logRecords'],
  metrics: ['metrics.v1.ExportMetricsServiceRequest', 'resourceMetrics', 'scopeMetrics', 'metrics'],
} as const;

interface SentRecord {
  readonly resource: Json;
  readonly scope: Json;
  readonly record: Json;
}

export function recordsOf({ meta, bytes }: LanguageFixture, signal: Signal): SentRecord[] {
  if (!meta.path.endsWith(`/v1/${signal}`)) return [];
  const [name, groups, scopes, records] = requests[signal];
  const type = typeNamed(`opentelemetry.proto.collector.${name}`);
  const request = type.toObject(type.decode(bytes), { longs: String, bytes: String });
  return lists(request, groups).flatMap((group) =>
    lists(group, scopes).flatMap((scoped) =>
      lists(scoped, records).map((record) => ({
        resource: object(group.resource) ?? {},
        scope: object(scoped.scope) ?? {},
        record,
      })),
    ),
  );
}

const lists = (value: Json, name: string): Json[] => (value[name] ?? []) as Json[];

/** Of an `AnyValue`. */
function plain(value: unknown): unknown {
  const [[kind = '', inner] = []] = Object.entries(object(value) ?? {});
  if (kind === 'intValue') return Number(inner);
  if (kind === 'arrayValue') return lists(inner as Json, 'values').map(plain);
  if (kind === 'kvlistValue') return pairs(inner as Json, 'values');
  return inner;
}

const pairs = (holder: Json, name = 'attributes'): Json =>
  Object.fromEntries(lists(holder, name).map(({ key, value }) => [key, plain(value)]));

const kept = (attributes: Json): Json =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, asKept(value)]));

const id = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? Buffer.from(value, 'base64').toString('hex') : undefined;

const micros = (nanos: unknown): number | undefined =>
  nanos === undefined || nanos === '0' ? undefined : Number(BigInt(String(nanos)) / 1000n);

/** Those that stand in a row: of the resource, the scope and the record. */
const together = ({ resource, scope, record }: SentRecord): Json =>
  kept({
    ...pairs(resource),
    ...pairs(scope),
    ...(scope.name !== '' && { 'otel.scope.name': scope.name }),
    ...(scope.version !== '' && { 'otel.scope.version': scope.version }),
    ...pairs(record),
  });

const kinds = [undefined, 'internal', 'server', 'client', 'producer', 'consumer'];
const statuses = [undefined, 'ok', 'unknown_error'];

export function otlpSpan(sent: SentRecord): Json {
  const { record } = sent;
  const { name, kind, status, events, links, traceId, spanId, parentSpanId, ...rest } = record;
  const { startTimeUnixNano: start, endTimeUnixNano: end, attributes: _, flags: __, ...others } = rest;
  const message = object(status)?.message;
  return {
    ...others,
    trace_id: id(traceId),
    span_id: id(spanId),
    parent_span_id: id(parentSpanId),
    name,
    kind: kinds[Number(kind)],
    status: statuses[Number(object(status)?.code ?? 0)],
    started_at: micros(start),
    duration_us: Number(micros(end)) - Number(micros(start)),
    attributes: { ...together(sent), ...(message !== '' && { 'sentry.status.message': message }) },
    events: ((events ?? []) as Json[]).map(({ timeUnixNano, attributes, ...event }) => ({
      ...event,
      at_us: micros(timeUnixNano),
      attributes: kept(pairs({ attributes })),
    })),
    links: ((links ?? []) as Json[]).map(({ traceId: trace, spanId: span, attributes, flags: ___, ...link }) => ({
      ...link,
      trace_id: id(trace),
      span_id: id(span),
      attributes: kept(pairs({ attributes })),
    })),
  };
}

export function otlpLog(sent: SentRecord): Json {
  const { record } = sent;
  const { timeUnixNano, observedTimeUnixNano, severityNumber, severityText, body, traceId, spanId, eventName } = record;
  const { attributes: _, flags: __, ...others } = record;
  for (const name of ['timeUnixNano', 'observedTimeUnixNano', 'severityNumber', 'severityText', 'body'])
    delete others[name];
  for (const name of ['traceId', 'spanId', 'eventName']) delete others[name];
  return {
    ...others,
    trace_id: id(traceId),
    span_id: id(spanId),
    timestamp: micros(timeUnixNano),
    observed_at: micros(observedTimeUnixNano),
    severity_number: severityNumber,
    body: asKept(plain(body) ?? ''),
    attributes: {
      ...together(sent),
      ...(severityText !== '' && { 'severity.text': severityText }),
      ...(eventName !== undefined && eventName !== '' && { 'event.name': eventName }),
    },
  };
}

/** As what is kept says it: names of the protocol, times as texts, attributes as objects. */
export function otlpMetric({ resource, scope, record }: SentRecord): Json {
  return {
    resource: pairs(resource),
    scope: { name: scope.name, version: scope.version, attributes: pairs(scope) },
    record: withPlainAttributes(record),
  };
}

function withPlainAttributes(value: unknown): Json {
  const walk = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(walk);
    const own = object(inner);
    if (!own) return inner;
    if (own.asInt !== undefined) own.asInt = Number(own.asInt);
    const entries = Object.entries(own).map(([name, one]) => [
      name,
      /^(?:filteredA|a)ttributes$/.test(name) ? pairs(own, name) : walk(one),
    ]);
    return Object.fromEntries(entries) as Json;
  };
  return walk(value) as Json;
}
