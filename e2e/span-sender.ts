/** Spans over HTTP, in OpenTelemetry's JSON, for traces that no SDK would make by itself. */
import { createHash } from 'node:crypto';

const hashed = (text: string, digits: number): string => createHash('md5').update(text).digest('hex').slice(0, digits);
export const traceIdOf = (name: string): string => hashed(name, 32);
export const spanIdOf = (name: string): string => hashed(name, 16);

export interface SentSpan {
  /** Its id follows from it. */
  readonly key: string;
  readonly name?: string;
  /** Key of its parent. */
  readonly in?: string;
  readonly service?: string;
  /** ms after the start of the trace. */
  readonly at: number;
  /** ms. */
  readonly for: number;
  readonly kind?: 'internal' | 'server' | 'client';
  readonly failed?: boolean;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly links?: readonly { readonly trace: string; readonly span: string }[];
  readonly events?: readonly { readonly name: string; readonly at: number }[];
}

const kinds = { internal: 1, server: 2, client: 3 } as const;

const attributesOf = (attributes: Readonly<Record<string, string | number>> = {}) =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === 'number' ? { doubleValue: value } : { stringValue: value },
  }));

const idOf = (trace: string, key: string): string => spanIdOf(`${trace} ${key}`);
const nanosOf = (ms: number): string => String(BigInt(Math.round(ms * 1000)) * 1000n);

/** A server, as far as one has to know it to send. */
export interface Target {
  readonly url: string;
  readonly installed: { readonly dsn: string };
}

async function send(server: Target, signal: 'traces' | 'logs', body: unknown): Promise<void> {
  const response = await fetch(`${server.url}/v1/${signal}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${new URL(server.installed.dsn).username}`,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${signal} were refused: ${response.status} ${await response.text()}`);
}

export interface SentLog {
  /** Key of the span it was written in. */
  readonly in: string;
  readonly service?: string;
  /** ms after the start of the trace. */
  readonly at: number;
  readonly level: 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
}

export async function sendLogs(
  server: Target,
  trace: string,
  startMs: number,
  logs: readonly SentLog[],
): Promise<void> {
  const byService = Map.groupBy(logs, ({ service = 'web' }) => service);
  const resourceLogs = [...byService].map(([service, own]) => ({
    resource: { attributes: attributesOf({ 'service.name': service }) },
    scopeLogs: [
      {
        scope: { name: 'test' },
        logRecords: own.map((log) => ({
          traceId: traceIdOf(trace),
          spanId: idOf(trace, log.in),
          timeUnixNano: nanosOf(startMs + log.at),
          severityText: log.level,
          severityNumber: { INFO: 9, WARN: 13, ERROR: 17 }[log.level],
          body: { stringValue: log.message },
        })),
      },
    ],
  }));
  await send(server, 'logs', { resourceLogs });
}

/** `startMs` is ms since the epoch; keys are told apart by trace. */
export async function sendSpans(
  server: Target,
  trace: string,
  startMs: number,
  spans: readonly SentSpan[],
): Promise<void> {
  const nanos = (ms: number): string => nanosOf(startMs + ms);
  const byService = Map.groupBy(spans, ({ service = 'web' }) => service);
  const resourceSpans = [...byService].map(([service, own]) => ({
    resource: { attributes: attributesOf({ 'service.name': service, 'telemetry.sdk.language': 'nodejs' }) },
    scopeSpans: [
      {
        scope: { name: 'test' },
        spans: own.map((span) => ({
          traceId: traceIdOf(trace),
          spanId: idOf(trace, span.key),
          ...(span.in !== undefined && { parentSpanId: idOf(trace, span.in) }),
          name: span.name ?? span.key,
          kind: kinds[span.kind ?? 'internal'],
          startTimeUnixNano: nanos(span.at),
          endTimeUnixNano: nanos(span.at + span.for),
          status: { code: span.failed ? 2 : 1 },
          attributes: attributesOf(span.attributes),
          links: (span.links ?? []).map((link) => ({
            traceId: traceIdOf(link.trace),
            spanId: idOf(link.trace, link.span),
          })),
          events: (span.events ?? []).map(({ name, at }) => ({ name, timeUnixNano: nanos(at) })),
        })),
      },
    ],
  }));
  await send(server, 'traces', { resourceSpans });
}
