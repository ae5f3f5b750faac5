/**
 * Gives back what the bytes lie in at once, instead of with the next collection; nobody may read any of it any more. Node's
 * pool, which others share, is left alone: it is known by its size.
 */
export function freeBuffer({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength !== Buffer.poolSize) buffer.transfer(0);
}
