/**
 * What ingestion writes into the log, one record per request: a small JSON head and the request body as it came
 * over the wire (still compressed), so that accepting costs no re-encoding.
 *
 * Layout: u32le length of the head, head as UTF-8 JSON, body.
 */

import type { StandsFor } from '../../base/stands-for.ts';

/** A number of items that ended before they could be written to the log; counted once the record is processed. */
export interface OutcomeCount {
  readonly projectId: number;
  /** That it was sent with; left out by earlier versions. */
  readonly keyId?: number;
  /** Start of the minute, ms since the epoch. */
  readonly minuteMs: number;
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly quantity: number;
}

export interface ReceivedItemHead {
  readonly type: string;
  readonly header: Readonly<Record<string, unknown>>;
}

/** Set on what an import brings, by the import alone: no request can say it. Such events are old news that nobody is told of. */
export interface ImportMark {
  /** ms since the epoch; events from before are past their retention. */
  readonly keepFrom: number;
}

export type EnvelopeHead = Extract<ReceivedHead, { kind: 'envelope' }>;

export type ReceivedHead =
  | {
      readonly kind: 'envelope';
      readonly projectId: number;
      readonly keyId: number;
      /** ms since the epoch, the server's clock. */
      readonly receivedAt: number;
      /** As in Content-Encoding, lower case; '' for identity. */
      readonly encoding: '' | 'gzip' | 'deflate' | 'br' | 'zstd';
      /** Of the body once it is decompressed; only of large ones. */
      readonly bytes?: number;
      /** Address of the client as far as trusted proxies tell. */
      readonly remoteAddress?: string;
      readonly userAgent?: string;
      /** `Sec-CH-UA*` request headers, lower-case names. */
      readonly clientHints?: Readonly<Record<string, string>>;
      readonly origin?: string;
      /** Where the body is no envelope: the one item whose payload it is. */
      readonly item?: ReceivedItemHead;
      readonly imported?: ImportMark;
      /** Of its one event. */
      readonly standsFor?: StandsFor;
    }
  | { readonly kind: 'outcomes'; readonly receivedAt: number; readonly counts: readonly OutcomeCount[] };

export interface Received {
  readonly head: ReceivedHead;
  readonly body: Uint8Array;
}

const decoder = new TextDecoder();

/** In two parts, so that the body is not copied before it is sealed. */
export function receivedParts(head: ReceivedHead, body?: Uint8Array): readonly Uint8Array[] {
  const json = JSON.stringify(head);
  const start = Buffer.allocUnsafe(4 + Buffer.byteLength(json));
  start.writeUInt32LE(start.length - 4);
  start.write(json, 4);
  return body ? [start, body] : [start];
}

export function encodeReceived(head: ReceivedHead, body?: Uint8Array): Uint8Array {
  return Buffer.concat(receivedParts(head, body));
}

/** The body is a view on the record, not a copy. Throws on a record that `encodeReceived` did not write. */
export function decodeReceived(record: Uint8Array): Received {
  const headLength = new DataView(record.buffer, record.byteOffset, record.byteLength).getUint32(0, true);
  const head = JSON.parse(decoder.decode(record.subarray(4, 4 + headLength))) as ReceivedHead;
  return { head, body: record.subarray(4 + headLength) };
}
