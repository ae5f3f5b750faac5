/**
 * Memory in pieces of one size for what comes and goes with each batch. Buffers made for it would be garbage at once, of
 * which V8 sees little, and the allocator would keep what is left of them; a buffer that grows is copied each time.
 */
import { forgetAfterPause } from './forget-after-pause.ts';

export const slabBytes = 1024 * 1024;
/** Spare ones: what a few batches take. */
const maxSpares = 32;

/** Of the calling thread. */
const spares: ArrayBuffer[] = [];
const used = forgetAfterPause(() => (spares.length = 0));

/** Not cleared. */
export function takeSlab(): Buffer<ArrayBuffer> {
  const spare = spares.pop();
  return spare ? Buffer.from(spare) : Buffer.allocUnsafeSlow(slabBytes);
}

/** Nothing may use it any more. What is no slab is left to the collector. */
export function giveBackSlab(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength !== slabBytes || spares.length >= maxSpares) return;
  spares.push(buffer);
  used();
}

/** Takes slabs one after the other and gives pieces of them; what is larger has memory of its own. */
export class Slabs {
  readonly #taken: ArrayBuffer[] = [];
  #slab: Buffer<ArrayBuffer> | undefined;
  #used = 0;

  /** Not cleared. Good until `giveBack`. */
  take(length: number): Buffer<ArrayBuffer> {
    if (length > slabBytes) return Buffer.allocUnsafeSlow(length);
    if (!this.#slab || this.#used + length > slabBytes) {
      this.#slab = takeSlab();
      this.#taken.push(this.#slab.buffer);
      this.#used = 0;
    }
    const start = this.#used;
    this.#used += length;
    return this.#slab.subarray(start, this.#used);
  }

  /** The first `length` bytes of the piece that was taken last; what follows them is free again. */
  shorten(piece: Buffer<ArrayBuffer>, length: number): Buffer<ArrayBuffer> {
    const isLast = piece.buffer === this.#slab?.buffer && piece.byteOffset + piece.length === this.#used;
    if (isLast) this.#used = piece.byteOffset + length;
    return piece.subarray(0, length);
  }

  /** Nothing may use what was taken any more. */
  giveBack(): void {
    for (const slab of this.#taken.splice(0)) giveBackSlab(slab);
    this.#slab = undefined;
    this.#used = 0;
  }
}
