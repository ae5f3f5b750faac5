/**
 * Memory for what is written in one transaction, used again for the next: a buffer for each record would be garbage
 * at once, and V8 collects all of its heap for every 64 MB of it.
 */

const slabBytes = 2 ** 20;
/** Slabs that are kept. What a transaction takes beyond them is left to the collector. */
const keptSlabs = 8;
/** So long after the last transaction there is a pause, and none are kept, ms. */
const keptMs = 5_000;

export class Arena {
  readonly #slabs: Uint8Array[] = [];
  #slab = 0;
  #used = 0;
  #forgetting: NodeJS.Timeout | undefined;

  /** Not cleared. Good until `reset`. */
  take(length: number): Uint8Array {
    if (length > slabBytes) return Buffer.allocUnsafeSlow(length);
    if (this.#used + length > slabBytes) {
      this.#slab++;
      this.#used = 0;
    }
    if (this.#slab >= keptSlabs) return Buffer.allocUnsafeSlow(length);
    const slab = (this.#slabs[this.#slab] ??= Buffer.allocUnsafeSlow(slabBytes));
    this.#used += length;
    return slab.subarray(this.#used - length, this.#used);
  }

  /** All that was taken may be overwritten. */
  reset(): void {
    this.#slab = 0;
    this.#used = 0;
    this.#forgetting ??= setTimeout(() => this.#forget(), keptMs).unref();
    this.#forgetting.refresh();
  }

  #forget(): void {
    this.#forgetting = undefined;
    // A transaction has begun meanwhile, and its memory is in use: the next end of one asks again.
    if (this.#used === 0) this.#slabs.length = 0;
  }
}
