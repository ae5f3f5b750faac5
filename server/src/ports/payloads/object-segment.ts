/**
 * A segment as one object: chunks, then for each ordinal the offset of its chunk and its number in there from 1 (u32 each),
 * then the tail of a packed segment. What is at its end is read first, in one request for nearly all of them.
 */
import type { ObjectPart, Objects } from '../../base/s3/objects.ts';
import { type ChunkEntry, decodeChunk, encodeChunk } from './chunk.ts';
import { encodeTail, type Entry, entryBytes, readEntry, tailOf, tailBytes, writeEntry } from './segment-files.ts';
import type { EncodedChunk, Numbered } from './writer.ts';

/** What one chunk of a packed one decompresses to, bytes; a single payload may be more. */
const chunkRawBytes = 1024 * 1024;
/** The index of 8,000 payloads, and most small segments whole. */
const endBytes = 64 * 1024;

export function encodeSegment(
  chunks: readonly EncodedChunk[],
  ordinals: number,
  isWanted: (payload: Numbered) => boolean,
): Buffer {
  const index = Buffer.alloc(ordinals * entryBytes);
  let offset = 0;
  for (const { bytes, payloads } of chunks) {
    for (const [number, payload] of payloads.entries()) {
      if (isWanted(payload)) writeEntry(index, payload.ordinal * entryBytes, { offset, number });
    }
    offset += bytes.length;
  }
  return Buffer.concat([...chunks.map(({ bytes }) => bytes), index, encodeTail(index.length, 0)]);
}

/** The same of a segment without what is not wanted, larger chunks of kin; undefined where nothing is left. */
export function packObject(whole: Uint8Array, isWanted: (ordinal: number) => boolean, erasedBytes: number) {
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  const { indexAt, ordinals } = tailOf(bytes.subarray(-tailBytes), bytes.length);
  const index = bytes.subarray(indexAt, indexAt + ordinals * entryBytes);
  const chunks = new Map<number, ChunkEntry[]>();
  const kept: (ChunkEntry & { readonly ordinal: number })[] = [];
  for (let ordinal = 0; ordinal < ordinals; ordinal++) {
    const entry = readEntry(index, ordinal * entryBytes);
    if (!entry || !isWanted(ordinal)) continue;
    const chunk = chunks.get(entry.offset) ?? decodeChunk(bytes.subarray(entry.offset));
    chunks.set(entry.offset, chunk);
    const payload = chunk[entry.number];
    if (payload) kept.push({ ...payload, ordinal });
  }
  if (kept.length === 0) return undefined;
  kept.sort((a, b) => a.kin - b.kin || a.ordinal - b.ordinal);
  const packed = Buffer.alloc(index.length);
  const parts: Buffer[] = [];
  let end = 0;
  for (const group of groupsOf(kept)) {
    for (const [number, { ordinal }] of group.entries()) {
      writeEntry(packed, ordinal * entryBytes, { offset: end, number });
    }
    const chunk = encodeChunk(group, 'small');
    parts.push(chunk);
    end += chunk.length;
  }
  return Buffer.concat([...parts, packed, encodeTail(packed.length, erasedBytes)]);
}

/** Ordinals of those that are sought; a chunk at a time. */
export function searchObject(whole: Uint8Array, isSought: (entry: ChunkEntry) => boolean): number[] {
  const bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength);
  const { indexAt, ordinals } = tailOf(bytes.subarray(-tailBytes), bytes.length);
  const index = bytes.subarray(indexAt, indexAt + ordinals * entryBytes);
  const entries = Array.from({ length: ordinals }, (_, ordinal) => readEntry(index, ordinal * entryBytes));
  const there = [...entries.keys()].filter((ordinal) => entries[ordinal]);
  const found: number[] = [];
  for (const [offset, own] of Map.groupBy(there, (ordinal) => entries[ordinal]?.offset ?? 0)) {
    const chunk = decodeChunk(bytes.subarray(offset));
    for (const ordinal of own) {
      const entry = chunk[entries[ordinal]?.number ?? 0];
      if (entry && isSought(entry)) found.push(ordinal);
    }
  }
  return found;
}

function* groupsOf<T extends ChunkEntry>(all: readonly T[]): Generator<readonly T[]> {
  let group: T[] = [];
  let size = 0;
  for (const each of all) {
    const length = each.bytes.length + each.beside.length;
    if (group.length > 0 && size + length > chunkRawBytes) {
      yield group;
      group = [];
      size = 0;
    }
    group.push(each);
    size += length;
  }
  if (group.length > 0) yield group;
}

/** The end of a segment, as it was with this tag. */
export interface SegmentIndex {
  readonly etag: string;
  /** Of the object. */
  readonly size: number;
  readonly ordinals: number;
  readonly erasedBytes: number;
  entry(ordinal: number): Entry | undefined;
  /** Where the chunk that begins there ends. */
  endOf(offset: number): number;
}

/** With the object, where all of it came along. Undefined where there is none. Throws where it is damaged. */
export async function readIndex(
  objects: Objects,
  key: string,
): Promise<{ readonly index: SegmentIndex; readonly whole?: Uint8Array } | undefined> {
  const end = await objects.range(key, -endBytes, endBytes);
  if (!end) return undefined;
  const last = bufferOf(end);
  const { indexAt, ordinals, erasedBytes } = tailOf(last.subarray(-tailBytes), end.size);
  const from = end.size - last.length;
  const bytes =
    indexAt >= from
      ? Buffer.from(last.subarray(indexAt - from, last.length - tailBytes))
      : bufferOf(await objects.range(key, indexAt, ordinals * entryBytes));
  if (bytes.length < ordinals * entryBytes) throw new Error('a payload segment is truncated');
  const offsets = new Set<number>([indexAt]);
  for (let ordinal = 0; ordinal < ordinals; ordinal++) {
    const entry = readEntry(bytes, ordinal * entryBytes);
    if (entry) offsets.add(entry.offset);
  }
  const sorted = [...offsets].sort((a, b) => a - b);
  const index: SegmentIndex = {
    etag: end.etag,
    size: end.size,
    ordinals,
    erasedBytes,
    entry: (ordinal) => (ordinal < ordinals ? readEntry(bytes, ordinal * entryBytes) : undefined),
    endOf: (offset) => sorted[sorted.indexOf(offset) + 1] ?? indexAt,
  };
  return last.length === end.size ? { index, whole: last } : { index };
}

const bufferOf = (part: ObjectPart | undefined): Buffer =>
  part ? Buffer.from(part.bytes.buffer, part.bytes.byteOffset, part.bytes.byteLength) : Buffer.alloc(0);
