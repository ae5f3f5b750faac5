import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createZstdCompress } from 'node:zlib';
import { CodedError } from '../base/errors.ts';
import { smallBodyBytes } from './body.ts';
import { decompressedChunks, type Encoding } from './decompress.ts';
import type { Ingest } from './exchange.ts';
import type { Scan, ScannedItem } from './scan.ts';

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: Encoding;
}

const waitMs = 10_000;

/**
 * Writes a scanned envelope again, with the items to keep alone: piece by piece, so that a large one is never whole in
 * memory. Throws OVERLOADED when too many are large.
 */
export async function dropItems(
  { inflating }: Pick<Ingest, 'inflating'>,
  { body, encoding }: EncodedBody,
  scan: Scan,
  keep: ReadonlySet<ScannedItem>,
): Promise<EncodedBody> {
  const pieces = encoding === '' ? [body] : decompressedChunks(body, encoding);
  const kept = slicesOf(pieces, keptRanges(scan, keep));
  if (scan.bytes <= smallBodyBytes) return { body: await buffer(Readable.from(kept)), encoding: '' };
  if (!(await inflating.take(1, waitMs))) throw new CodedError('OVERLOADED', [], { retryAfter: 5 });
  try {
    return { body: await buffer(Readable.from(kept).compose(createZstdCompress())), encoding: 'zstd' };
  } finally {
    inflating.release(1);
  }
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Of the envelope that is left. */
export function keptBytes(scan: Scan, kept: readonly ScannedItem[]): number {
  return keptRanges(scan, new Set(kept)).reduce((sum, { start, end }) => sum + end - start, 0);
}

/** In order, of the envelope decompressed. An item is what stands between the end of the one before and its own. */
function keptRanges({ items, itemsOffset }: Scan, keep: ReadonlySet<ScannedItem>): Range[] {
  const ranges: Range[] = [{ start: 0, end: itemsOffset }];
  let start = itemsOffset;
  for (const item of items) {
    if (keep.has(item)) ranges.push({ start, end: item.end });
    start = item.end;
  }
  return ranges;
}

async function* slicesOf(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  ranges: readonly Range[],
): AsyncGenerator<Buffer> {
  let offset = 0;
  let next = 0;
  for await (const piece of pieces) {
    const end = offset + piece.length;
    for (let range = ranges[next]; range && range.start < end; range = ranges[next]) {
      if (range.end > offset) yield piece.subarray(Math.max(0, range.start - offset), range.end - offset);
      if (range.end > end) break;
      next++;
    }
    offset = end;
  }
}
