/** What is held in memory of lookup files, the least recently used dropped first. */

export interface Held {
  readonly weightBytes: number;
  /** Called when the pool has let go of it. */
  readonly drop: () => void;
}

export class Pool {
  bytes = 0;
  readonly #maxBytes: number;
  /** A set keeps the order of insertion: the first is the one not used for longest. */
  readonly #held = new Set<Held>();

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(held: Held): void {
    this.#held.add(held);
    this.bytes += held.weightBytes;
    for (const oldest of this.#held) {
      if (this.bytes <= this.#maxBytes || oldest === held) break;
      this.remove(oldest);
    }
  }

  touch(held: Held): void {
    if (this.#held.delete(held)) this.#held.add(held);
  }

  remove(held: Held): void {
    if (!this.#held.delete(held)) return;
    this.bytes -= held.weightBytes;
    held.drop();
  }
}
