/** Looks through an OTLP request before it is accepted: is it one, and how many records does it hold. */
import { CodedError } from '../../base/errors.ts';
import { countFrames, countJson, OtlpError, type Signal, type WireForm } from '../../base/otlp/index.ts';
import { smallBodyBytes } from '../body.ts';
import { checkInflated, decompress, decompressedChunks, type Compression } from '../decompress.ts';
import type { EncodedBody } from '../drop-items.ts';
import type { Exchange, Ingest } from '../exchange.ts';

/** Decompressed. Ten times what a Collector's usual batch comes to. */
const maxRequestBytes = 20 * 1024 * 1024;
/** A small body that inflates to no more is inflated on the thread that answers requests. */
const maxInflatedAtOnce = 4 * 1024 * 1024;
const waitMs = 10_000;

interface Kind {
  readonly signal: Signal;
  readonly form: WireForm;
}

/** Throws OTLP_MALFORMED, BODY_TOO_LARGE, BODY_RATIO, BODY_ENCODING, OVERLOADED. */
export async function countRecords(
  ingest: Ingest,
  exchange: Exchange,
  encoded: EncodedBody,
  { signal, form }: Kind,
): Promise<{ readonly records: number; readonly bytes: number }> {
  const maxBytes = Math.min(maxRequestBytes, ingest.config.maxEnvelopeBytes);
  const bytes = await inflated(ingest, exchange, encoded, maxBytes);
  if (bytes.length > maxBytes) throw new CodedError('BODY_TOO_LARGE', [maxBytes]);
  try {
    const records = form === 'protobuf' ? countFrames(bytes) : countJson(bytes, signal);
    return { records, bytes: bytes.length };
  } catch (error) {
    throw error instanceof OtlpError ? new CodedError('OTLP_MALFORMED', [error.message]) : error;
  }
}

async function inflated(
  ingest: Ingest,
  exchange: Exchange,
  { body, encoding }: EncodedBody,
  maxBytes: number,
): Promise<Buffer> {
  if (encoding === '' || body.length === 0) return body;
  const small = body.length > smallBodyBytes ? undefined : decompress(body, encoding, maxInflatedAtOnce);
  return small ?? inflateLarge(ingest, exchange, body, encoding, maxBytes);
}

/** Off this thread, and only as many at once as there is room for. */
async function inflateLarge(
  { pools, inflating }: Ingest,
  exchange: Exchange,
  body: Buffer,
  encoding: Compression,
  maxBytes: number,
): Promise<Buffer> {
  const overloaded = (): CodedError => new CodedError('OVERLOADED', [], { retryAfter: 5 });
  if (!(await pools.large.take(maxBytes, waitMs))) throw overloaded();
  exchange.held.large += maxBytes;
  if (!(await inflating.take(1, waitMs))) throw overloaded();
  try {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of decompressedChunks(body, encoding)) {
      size += chunk.length;
      checkInflated(size, body.length, maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, size);
  } finally {
    inflating.release(1);
  }
}
