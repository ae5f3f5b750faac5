/** The same requests to a shop as OpenTelemetry's exporters send them: batches of spans in protobuf, of several traces. */
import { gzipSync } from 'node:zlib';
import { toProtobuf } from '../../server/src/base/otlp/made.ts';
import type { CorpusEnvelope, CorpusOptions } from '../corpus.ts';
import { createRequests, type Request, spansEach, type Step } from './spans.ts';

const requestsEach = 4;
export const otlpSpansEach = requestsEach * spansEach;

const text = (key: string, stringValue: string): object => ({ key, value: { stringValue } });
const attribute = (key: string, value: string | number): object =>
  typeof value === 'string' ? text(key, value) : { key, value: { intValue: String(value) } };
const nanos = (seconds: number): string => `${Math.round(seconds * 1e6)}000`;
const kinds = { 'http.server': 2, 'http.client': 3, db: 3 } as const;

function spanOf({ traceId }: Request, { id, parentId, op, description, start, end, data }: Step): object {
  return {
    traceId,
    spanId: id,
    ...(parentId && { parentSpanId: parentId }),
    name: description,
    kind: (kinds as Readonly<Record<string, number>>)[op] ?? 1,
    startTimeUnixNano: nanos(start),
    endTimeUnixNano: nanos(end),
    attributes: Object.entries(data).map(([name, value]) => attribute(name, value)),
    status: {},
  };
}

export function* createOtlp({ count, ...options }: CorpusOptions): Generator<CorpusEnvelope> {
  const requests = createRequests({ ...options, count: count * requestsEach });
  for (let index = 0; index < count; index++) {
    const batch = Array.from({ length: requestsEach }, () => requests.next().value as Request);
    const [{ eventId, server, release }] = batch as [Request];
    const resource = [
      text('service.name', 'shop-api'),
      text('service.version', release),
      text('service.instance.id', server),
      text('deployment.environment.name', 'production'),
      text('telemetry.sdk.language', 'nodejs'),
      text('telemetry.sdk.name', 'opentelemetry'),
      text('telemetry.sdk.version', '2.2.0'),
    ];
    const spans = batch.flatMap((request) => [request.segment, ...request.steps].map((step) => spanOf(request, step)));
    const scopeSpans = [{ scope: { name: '@opentelemetry/instrumentation-http', version: '0.208.0' }, spans }];
    const plain = toProtobuf('traces', { resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] });
    const body = options.encoding === 'gzip' ? gzipSync(plain) : plain;
    yield { eventId, body, sizeBytes: plain.length };
  }
}
