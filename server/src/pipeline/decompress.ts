/** The body of a request as it was before the SDK compressed it. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { EnvelopeHead } from '../ports/queue/received.ts';

/** Throws where it is damaged, or larger than `maxOutputLength` bytes. */
export function decompress(
  body: Uint8Array,
  { encoding, bytes }: Pick<EnvelopeHead, 'encoding' | 'bytes'>,
  maxOutputLength: number,
): Uint8Array {
  // In one piece where its size is known: put together of many, it would be in memory twice.
  const options = { maxOutputLength, ...(bytes !== undefined && { chunkSize: Math.min(bytes, maxOutputLength) + 64 }) };
  switch (encoding) {
    case '':
      return body;
    case 'gzip':
      return gunzipSync(body, options);
    case 'br':
      return brotliDecompressSync(body, options);
    case 'zstd':
      return zstdDecompressSync(body, options);
    case 'deflate':
      // "deflate" is zlib by the standard and raw deflate from some clients: the first byte tells.
      return ((body[0] ?? 0) & 0x0f) === 8 ? inflateSync(body, options) : inflateRawSync(body, options);
  }
}
