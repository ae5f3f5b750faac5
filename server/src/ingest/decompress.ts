/** Request bodies as SDKs compress them, never inflated beyond a limit. */
import type { Transform } from 'node:stream';
import {
  brotliDecompressSync,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { CodedError } from '../base/errors.ts';
import type { ReceivedHead } from '../ports/queue/received.ts';

export type Encoding = Extract<ReceivedHead, { kind: 'envelope' }>['encoding'];
export type Compression = Exclude<Encoding, ''>;

/** A Content-Encoding header. Names that we do not know count as identity, as clients expect. */
export function parseEncoding(header: string | undefined): Encoding {
  if (header === undefined) return '';
  switch (header.trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
      return 'gzip';
    case 'deflate':
      return 'deflate';
    case 'br':
      return 'br';
    case 'zstd':
      return 'zstd';
    default:
      return '';
  }
}

/** Decoders need up to a window of memory besides their output; this is the largest that common levels write. */
const zstdParams = { [constants.ZSTD_d_windowLogMax]: 24 };

/**
 * Recorded traffic inflates to 3 to 30 times its size, batches of equal log lines to 100, and what is larger than the
 * floor is less repetitive, not more. Only what is made to grow does beyond both.
 */
export const maxRatio = 100;
/** Up to here nothing is asked of the ratio: a megabyte of equal lines is a few hundred bytes. */
export const ratioFloorBytes = 16 * 1024 * 1024;

/** Throws when a body of `sentBytes` inflates to more than it may: BODY_TOO_LARGE, BODY_RATIO. */
export function checkInflated(bytes: number, sentBytes: number, maxBytes: number): void {
  if (bytes > maxBytes) throw new CodedError('BODY_TOO_LARGE', [maxBytes]);
  if (bytes > ratioFloorBytes && bytes > sentBytes * maxRatio) {
    throw new CodedError('BODY_RATIO', [maxRatio, ratioFloorBytes]);
  }
}

/**
 * Inflates in one go, on this thread. Undefined when there is more output than `maxBytes`.
 * Throws BODY_ENCODING when the body is damaged.
 */
export function decompress(body: Buffer, encoding: Compression, maxBytes: number): Buffer | undefined {
  const options = { maxOutputLength: maxBytes, chunkSize: outputGuess(body, encoding, maxBytes) };
  try {
    switch (encoding) {
      case 'gzip':
        return gunzipSync(body, options);
      case 'deflate':
        return hasZlibHeader(body) ? inflateSync(body, options) : inflateRawSync(body, options);
      case 'br':
        return brotliDecompressSync(body, options);
      case 'zstd':
        return zstdDecompressSync(body, { ...options, params: zstdParams });
    }
  } catch (error) {
    if (isTooLarge(error)) return undefined;
    throw damaged(encoding, error);
  }
}

/** Inflates piece by piece, off this thread. Throws BODY_ENCODING when the body is damaged. */
export async function* decompressedChunks(body: Buffer, encoding: Compression): AsyncGenerator<Buffer, void, void> {
  const stream = createDecompressor(body, encoding);
  stream.end(body);
  try {
    for await (const chunk of stream) yield chunk as Buffer;
  } catch (error) {
    throw damaged(encoding, error);
  }
}

function createDecompressor(body: Buffer, encoding: Compression): Transform {
  const options = { chunkSize: 128 * 1024 };
  switch (encoding) {
    case 'gzip':
      return createGunzip(options);
    case 'deflate':
      return hasZlibHeader(body) ? createInflate(options) : createInflateRaw(options);
    case 'br':
      return createBrotliDecompress(options);
    case 'zstd':
      return createZstdDecompress({ ...options, params: zstdParams });
  }
}

/** `deflate` should mean zlib, but some clients leave its header out. */
function hasZlibHeader(body: Buffer): boolean {
  const first = body[0] ?? 0;
  return (first & 0x0f) === 8 && ((first << 8) | (body[1] ?? 0)) % 31 === 0;
}

/** A buffer of the right size spares zlib from gathering pieces. The end of a gzip body says its size, if it is honest. */
function outputGuess(body: Buffer, encoding: Compression, maxBytes: number): number {
  const said = encoding === 'gzip' && body.length >= 18 ? body.readUInt32LE(body.length - 4) + 1 : body.length * 6;
  return Math.min(Math.max(said, 1024), maxBytes + 1, 256 * 1024);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
}

function damaged(encoding: Compression, error: unknown): CodedError {
  const reason = error instanceof Error ? error.message : String(error);
  return new CodedError('BODY_ENCODING', [encoding, reason], { cause: error });
}
