import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { parseEnvelope, serializeEnvelope } from '@culprit/envelope';
import { CodedError } from '../errors.ts';
import { smallBodyBytes } from './body.ts';
import { decompressedChunks, type Encoding } from './decompress.ts';
import type { Exchange, Ingest } from './exchange.ts';
import type { Scan, ScannedItem } from './scan.ts';

export interface EncodedBody {
  readonly body: Buffer;
  readonly encoding: Encoding;
}

const compress = promisify(zstdCompress);
const waitMs = 10_000;

/** Writes a scanned envelope again, with the items to keep alone. Throws OVERLOADED when too many are large. */
export async function dropItems(
  ingest: Ingest,
  exchange: Exchange,
  { body, encoding }: EncodedBody,
  scan: Scan,
  keep: ReadonlySet<ScannedItem>,
): Promise<EncodedBody> {
  if (scan.bytes > smallBodyBytes) {
    if (!(await ingest.pools.large.take(scan.bytes, waitMs))) throw new CodedError('OVERLOADED', [], { retryAfter: 5 });
    exchange.held.large += scan.bytes;
  }
  const bytes = encoding === '' ? body : await buffer(Readable.from(decompressedChunks(body, encoding)));
  const { header, items } = parseEnvelope(bytes);
  const kept = items.filter((_, index) => {
    const scanned = scan.items[index];
    return scanned !== undefined && keep.has(scanned);
  });
  const rest = Buffer.from(serializeEnvelope(header, kept).buffer);
  return rest.length > smallBodyBytes ? { body: await compress(rest), encoding: 'zstd' } : { body: rest, encoding: '' };
}
