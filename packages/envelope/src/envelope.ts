/**
 * The envelope codec.
 *
 *     envelope = header-json { "\n" item } [ "\n" ]
 *     item     = header-json "\n" payload       payload: `length` bytes, or up to the next "\n" or the end
 *
 * Reading splits bytes and decodes header lines only; payloads are views on the body and never looked at.
 */
import { EnvelopeError } from './error.ts';
import { parseHeaderLine } from './header-line.ts';
import * as texts from './texts.ts';

export interface EnvelopeLimits {
  /** Of the whole body, decompressed. Unlimited when absent: the caller has usually bounded what it read. */
  readonly maxBytes?: number;
  /** Of one header line. */
  readonly maxHeaderBytes?: number;
  readonly maxItems?: number;
}

/** Far above what any SDK sends: at most 100 sessions, 100 client reports, 30 attachments and some more. */
export const defaultLimits = { maxHeaderBytes: 1024 * 1024, maxItems: 1000 } as const satisfies EnvelopeLimits;

export type EnvelopeHeader = Record<string, unknown>;

/** `type` and `length` are checked; everything else is as the client sent it. */
export interface ItemHeader {
  type: string;
  /** Bytes of the payload; absent when the payload ends at the line's end. */
  length?: number;
  [key: string]: unknown;
}

export interface Item {
  readonly header: ItemHeader;
  /** `header.type`. */
  readonly type: string;
  /** A view on the envelope's bytes. */
  readonly payload: Uint8Array;
}

export interface Envelope {
  readonly header: EnvelopeHeader;
  readonly items: Item[];
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/** Splits a whole envelope. Throws `EnvelopeError` and nothing else. */
export function parseEnvelope(bytes: Uint8Array, limits: EnvelopeLimits = {}): Envelope {
  const { header, itemsOffset } = readEnvelopeHeader(bytes, limits);
  return { header, items: [...walkItems(bytes, itemsOffset, limits)] };
}

/** Reads the first line only: enough for a tunnel, which needs `dsn`. `itemsOffset` is where `walkItems` starts. */
export function readEnvelopeHeader(
  bytes: Uint8Array,
  limits: EnvelopeLimits = {},
): { header: EnvelopeHeader; itemsOffset: number } {
  if (bytes.length === 0) throw new EnvelopeError('empty', 0, texts.empty);
  if (limits.maxBytes !== undefined && bytes.length > limits.maxBytes) {
    throw new EnvelopeError('too_large', limits.maxBytes, texts.tooLarge(limits.maxBytes));
  }
  const end = lineEnd(bytes, 0);
  checkHeaderLength(0, end, limits);
  return { header: parseHeaderLine(bytes, 0, end, 'header_invalid'), itemsOffset: end + 1 };
}

/**
 * Yields the items one by one from `offset` on (the `itemsOffset` of `readEnvelopeHeader`), each checked when its turn
 * comes: a body is well-formed when the walk ends without an `EnvelopeError`.
 */
export function* walkItems(
  bytes: Uint8Array,
  offset: number,
  limits: EnvelopeLimits = {},
): Generator<Item, void, void> {
  const maxItems = limits.maxItems ?? defaultLimits.maxItems;
  let count = 0;
  let start = skipBlankLines(bytes, offset);
  while (start < bytes.length) {
    if (++count > maxItems) {
      throw new EnvelopeError('too_many_items', start, texts.tooManyItems(maxItems));
    }
    const headerEnd = lineEnd(bytes, start);
    checkHeaderLength(start, headerEnd, limits);
    const header = checkItemHeader(parseHeaderLine(bytes, start, headerEnd, 'item_header_invalid'), start);
    const payloadStart = Math.min(headerEnd + 1, bytes.length);
    const payloadEnd =
      header.length === undefined ? lineEnd(bytes, payloadStart) : explicitEnd(bytes, payloadStart, header.length);
    yield { header, type: header.type, payload: bytes.subarray(payloadStart, payloadEnd) };
    start = skipBlankLines(bytes, payloadEnd + 1);
  }
}

// Node's Buffer searches with memchr, ten times as fast as Uint8Array does, and takes any Uint8Array. Not named as a
// free variable, because bundlers would then add a polyfill for browsers.
const { indexOf } = (globalThis as { Buffer?: { prototype: Uint8Array } }).Buffer?.prototype ?? Uint8Array.prototype;

function lineEnd(bytes: Uint8Array, start: number): number {
  const end = indexOf.call(bytes, newline, start);
  return end === -1 ? bytes.length : end;
}

/** The grammar allows one newline at the end. Some clients write more, and between items too; nothing is lost by taking them. */
function skipBlankLines(bytes: Uint8Array, offset: number): number {
  let at = offset;
  while (bytes[at] === newline || (bytes[at] === carriageReturn && bytes[at + 1] === newline)) at++;
  return at;
}

function checkHeaderLength(start: number, end: number, limits: EnvelopeLimits): void {
  const maxHeaderBytes = limits.maxHeaderBytes ?? defaultLimits.maxHeaderBytes;
  if (end - start > maxHeaderBytes) {
    throw new EnvelopeError('header_too_large', start, texts.headerTooLong(maxHeaderBytes));
  }
}

function checkItemHeader(header: Record<string, unknown>, offset: number): ItemHeader {
  const { type, length } = header;
  if (typeof type !== 'string' || type === '') {
    throw new EnvelopeError('item_type_missing', offset, texts.noType);
  }
  if (length === null) delete header['length'];
  else if (length !== undefined && !(typeof length === 'number' && Number.isSafeInteger(length) && length >= 0)) {
    throw new EnvelopeError('item_length_invalid', offset, texts.badLength(printable(type)));
  }
  return header as ItemHeader;
}

function explicitEnd(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length;
  if (end > bytes.length) {
    throw new EnvelopeError('item_truncated', start, texts.truncated(length, bytes.length - start));
  }
  if (end < bytes.length && bytes[end] !== newline) {
    throw new EnvelopeError('item_unterminated', end, texts.unterminated(length));
  }
  return end;
}

/** A type name is the client's text; messages end up in logs and terminals. */
function printable(type: string): string {
  return JSON.stringify(type.length > 50 ? `${type.slice(0, 50)}…` : type);
}

export interface ItemToWrite {
  /** `length` is filled in. */
  readonly header: { readonly type: string; readonly [key: string]: unknown };
  readonly payload: Uint8Array | string;
}

/** Writes an envelope with the length of every item, so that any payload bytes survive. */
export function serializeEnvelope(header: EnvelopeHeader, items: readonly ItemToWrite[]): Uint8Array {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [encoder.encode(`${JSON.stringify(header)}\n`)];
  for (const item of items) {
    const payload = typeof item.payload === 'string' ? encoder.encode(item.payload) : item.payload;
    parts.push(encoder.encode(`${JSON.stringify({ ...item.header, length: payload.length })}\n`), payload, lineFeed);
  }
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

const lineFeed = Uint8Array.of(newline);
