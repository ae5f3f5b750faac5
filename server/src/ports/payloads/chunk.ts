/**
 * A chunk: a few payloads, compressed together. Length of what follows and of what it decompresses to (u32 each), then
 * zstd of: their number (u32), for each its length and its kin's number (u32 each), and their bytes. Little endian.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { giveBack, takeBuffer } from '../../base/spare-buffers.ts';

export const headBytes = 8;

export interface ChunkEntry {
  readonly bytes: Uint8Array;
  /** A number that payloads of the same kin share. */
  readonly kin: number;
}

/** `fast` while others wait, `small` for what lies for months. */
const levels = { fast: 1, small: 3 };

/** Larger than nearly any, so that one serves all. */
const scratchBytes = 1024 * 1024 + 64 * 1024;

/** At once, as decoding is: in pieces on other threads it takes twice the time. */
export function encodeChunk(entries: readonly ChunkEntry[], level: keyof typeof levels): Buffer {
  const length = rawLength(entries);
  const scratch = takeBuffer(Math.max(length, scratchBytes));
  const raw = fill(scratch.subarray(0, length), entries);
  const chunk = withHead(
    zstdCompressSync(raw, {
      params: { [constants.ZSTD_c_compressionLevel]: levels[level], [constants.ZSTD_c_checksumFlag]: 1 },
    }),
    length,
  );
  giveBack(scratch);
  return chunk;
}

export const chunkBytes = (head: Buffer): number => headBytes + head.readUInt32LE(0);

/** Throws where it is damaged. */
export function decodeChunk(chunk: Buffer): ChunkEntry[] {
  const rawBytes = chunk.readUInt32LE(4);
  const raw = zstdDecompressSync(chunk.subarray(headBytes, chunkBytes(chunk)), {
    maxOutputLength: Math.max(rawBytes, 1),
    chunkSize: Math.max(rawBytes, 64),
  });
  const count = raw.readUInt32LE(0);
  const entries: ChunkEntry[] = [];
  let at = tableBytes(count);
  for (let index = 0; index < count; index++) {
    const length = raw.readUInt32LE(4 + index * 8);
    entries.push({ bytes: raw.subarray(at, at + length), kin: raw.readUInt32LE(8 + index * 8) });
    at += length;
  }
  return entries;
}

const tableBytes = (count: number): number => 4 + count * 8;

const rawLength = (entries: readonly ChunkEntry[]): number =>
  entries.reduce((sum, { bytes }) => sum + bytes.length, tableBytes(entries.length));

function fill(raw: Buffer, entries: readonly ChunkEntry[]): Buffer {
  raw.writeUInt32LE(entries.length, 0);
  let at = tableBytes(entries.length);
  for (const [index, { bytes, kin }] of entries.entries()) {
    raw.writeUInt32LE(bytes.length, 4 + index * 8);
    raw.writeUInt32LE(kin, 8 + index * 8);
    raw.set(bytes, at);
    at += bytes.length;
  }
  return raw;
}

function withHead(compressed: Buffer, rawBytes: number): Buffer {
  const chunk = Buffer.allocUnsafe(headBytes + compressed.length);
  chunk.writeUInt32LE(compressed.length, 0);
  chunk.writeUInt32LE(rawBytes, 4);
  chunk.set(compressed, headBytes);
  return chunk;
}
