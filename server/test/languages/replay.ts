/** Sends recorded requests of other languages to a running server, as their senders would. */
import { inflateSync } from 'node:zlib';
import { parseEnvelope } from '@culprit/envelope';
import type { LanguageFixture } from '../../../fixtures/index.ts';
import type { Installed } from '../harness.ts';
import { object, type Json } from './json.ts';
import { seconds } from './neutral.ts';

export interface SentEvent {
  /** Of the recording. */
  readonly name: string;
  readonly id: string;
  readonly event: Json;
}

/** Errors and messages; what a transaction becomes is told by its spans. */
export function eventsOf({ name, meta, bytes }: LanguageFixture): SentEvent[] {
  if (meta.path.includes('/store/')) {
    const text = Buffer.from(bytes).toString();
    const event = JSON.parse(text.startsWith('{') ? text : inflateSync(Buffer.from(text, 'base64')).toString()) as Json;
    return [{ name, id: idOf(event.event_id), event }];
  }
  if (!meta.path.includes('/envelope/')) return [];
  const { header, items } = parseEnvelope(bytes);
  return items.flatMap(({ type, payload }) => {
    if (type !== 'event') return [];
    const event = JSON.parse(Buffer.from(payload).toString()) as Json;
    return [{ name, id: idOf(event.event_id ?? header.event_id), event }];
  });
}

const idOf = (id: unknown): string => String(id).replaceAll('-', '');

const recordedKey = '0123456789abcdef0123456789abcdef';

/** Of the connection, not of the request. */
const dropped = new Set(['host', 'content-length', 'content-encoding', 'transfer-encoding', 'expect']);

/** With its own headers, the key and the project being those of this server. */
export function replay({ meta, bytes }: LanguageFixture, { url, dsn }: Installed): Promise<Response> {
  const { username, pathname } = new URL(dsn);
  const own = (text: string): string => text.replaceAll(recordedKey, username);
  const headers = meta.headers.filter(([name]) => !dropped.has(name)).map(([name, value]) => [name, own(value)]);
  const path = own(meta.path).replace(/^\/api\/\d+\//, `/api${pathname}/`);
  return fetch(url + path, {
    method: meta.method,
    headers: headers as [string, string][],
    body: meta.path.includes('/envelope/') ? asSentAgain(bytes) : Buffer.from(bytes),
  });
}

/**
 * The recorder's DSN stands in some headers of envelopes; a client of this server would send this server's. An envelope
 * that does not say when it was sent says so, for some day what it holds is too old.
 */
function asSentAgain(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const own = Buffer.from(bytes);
  const end = own.indexOf(0x0a);
  const { dsn: _, ...header } = JSON.parse(own.subarray(0, end).toString()) as Record<string, unknown>;
  const at = header.sent_at ?? lastMoment(bytes);
  return Buffer.concat([Buffer.from(JSON.stringify({ ...header, ...(at && { sent_at: at }) })), own.subarray(end)]);
}

function lastMoment(bytes: Uint8Array): string | undefined {
  const times = parseEnvelope(bytes).items.flatMap(({ type, payload }) => {
    if (type === 'attachment') return [];
    const { timestamp, started, aggregates = [] } = JSON.parse(Buffer.from(payload).toString()) as Json;
    const buckets = (aggregates as Json[]).map((bucket) => bucket.started);
    return [timestamp, started, ...buckets].map(seconds).filter((time) => typeof time === 'number');
  });
  return times.length > 0 ? new Date(Math.max(...times) * 1000).toISOString() : undefined;
}

/** Of all its exceptions and threads. */
export function framesOf(event: Json): Json[] {
  return ['exception', 'threads'].flatMap((name) => {
    const values = object(event[name])?.values ?? event[name] ?? [];
    return (values as Json[]).flatMap(({ stacktrace }) => (object(stacktrace)?.frames ?? []) as Json[]);
  });
}

/** Logs of the SDKs, in the order of their containers. */
export function logsOf({ meta, bytes }: LanguageFixture): Json[] {
  if (!meta.path.includes('/envelope/')) return [];
  return parseEnvelope(bytes).items.flatMap(({ type, payload }) =>
    type === 'log' ? (JSON.parse(Buffer.from(payload).toString()) as { items: Json[] }).items : [],
  );
}
