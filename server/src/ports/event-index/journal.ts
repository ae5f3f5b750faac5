/**
 * What is written to the index while its file is copied. A copy is of some moment after the first of it was noted, so what
 * the journal has is written to the copy once more: each change makes of what it is about the same, whatever was there
 * before, and so may be made twice.
 */
import type { IndexStore } from './index-store.ts';

export type Change = (store: IndexStore) => Promise<unknown> | undefined;

/** Of entries: a copy for which more came meanwhile is given up. */
const mostBytes = 64 * 2 ** 20;

export class Journal {
  #changes: Change[] = [];
  #bytes = 0;

  note(change: Change, bytes: number): void {
    this.#bytes += bytes;
    if (this.isFull) this.#changes = [];
    else this.#changes.push(change);
  }

  get isFull(): boolean {
    return this.#bytes > mostBytes;
  }

  get length(): number {
    return this.#changes.length;
  }

  /** In their order, those that there are by now. */
  async replay(store: IndexStore): Promise<void> {
    const changes = this.#changes;
    this.#changes = [];
    for (const change of changes) await change(store);
  }
}
