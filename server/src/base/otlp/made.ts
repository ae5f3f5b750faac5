/** For tests only: requests as senders make them, and answers as they read them, by OpenTelemetry's own definitions. */
import { readFileSync } from 'node:fs';
import protobuf from 'protobufjs';
import type { Signal } from './signals.ts';

const services = { traces: 'trace', logs: 'logs', metrics: 'metrics' } as const;
const messages = { traces: 'Trace', logs: 'Logs', metrics: 'Metrics' } as const;

const root = new protobuf.Root();
for (const name of ['common', 'resource', 'trace', 'logs', 'metrics']) add(`${name}/v1/${name}`);
for (const name of Object.values(services)) add(`collector/${name}/v1/${name}_service`);
root.resolveAll();

function add(path: string): void {
  const url = new URL(`proto/opentelemetry/proto/${path}.proto`, import.meta.url);
  protobuf.parse(readFileSync(url, 'utf8'), root);
}

function typeOf(signal: Signal, kind: 'Request' | 'Response'): protobuf.Type {
  return root.lookupType(
    `opentelemetry.proto.collector.${services[signal]}.v1.Export${messages[signal]}Service${kind}`,
  );
}

export function typeNamed(name: string): protobuf.Type {
  return root.lookupType(name);
}

/** From the JSON form with ids in hex. */
export function toProtobuf(signal: Signal, request: object): Buffer {
  const withBytes = JSON.parse(JSON.stringify(request), (key, value: unknown) =>
    /^(?:traceId|spanId|parentSpanId)$/.test(key) && typeof value === 'string'
      ? Buffer.from(value, 'hex').toString('base64')
      : value,
  ) as Record<string, unknown>;
  const type = typeOf(signal, 'Request');
  return Buffer.from(type.encode(type.fromObject(withBytes)).finish());
}

export function readResponse(signal: Signal, bytes: Uint8Array): object {
  const type = typeOf(signal, 'Response');
  return type.toObject(type.decode(bytes), { longs: Number });
}

/** `google.rpc.Status`. */
export function readStatus(bytes: Uint8Array): { code: number; message: string } {
  const reader = protobuf.Reader.create(bytes);
  const status = { code: 0, message: '' };
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 8) status.code = reader.int32();
    else if (tag === 18) status.message = reader.string();
    else reader.skipType(tag & 7);
  }
  return status;
}

export const madeTraceId = '5b8efff798038103d269b633813fc60c';

/** A request of one resource and one scope. */
export function tracesOf(
  spans: readonly object[],
  resource: readonly object[] = [text('service.name', 'shop'), text('telemetry.sdk.language', 'nodejs')],
): object {
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope: { name: 'test' }, spans }] }] };
}

export function madeSpan(change: object = {}): object {
  return {
    traceId: madeTraceId,
    spanId: 'eee19b7ec3c1b174',
    name: 'GET /cart',
    kind: 2,
    startTimeUnixNano: '1795229859363000999',
    endTimeUnixNano: '1795229859400280521',
    ...change,
  };
}

export function text(key: string, stringValue: string): object {
  return { key, value: { stringValue } };
}
