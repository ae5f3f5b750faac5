/**
 * What the event index is told of a batch, by its slices. A row keeps the place that its first insert gave it, and whether
 * an insert came about, the engine does not say: so places are known of slices that were stored at the first attempt,
 * and of others the engine is asked when somebody wants them.
 */
import type { StoredEntries } from './store.ts';

export class IndexedSlices {
  /** Of each slice that was stored, what it has. */
  readonly #slices: Uint8Array<ArrayBuffer>[][] = [];
  #noted: Uint8Array<ArrayBuffer>[] = [];
  #number = 0;
  hasLost = false;

  /** Rows of the slice that is being stored; returns what the index is told of them. */
  note({ entries, isStored }: StoredEntries, isFirst: boolean): Uint8Array<ArrayBuffer> {
    if (entries.lost > 0) this.hasLost = true;
    const bytes = entries.bytes(isStored, isFirst);
    this.#noted.push(bytes);
    return bytes;
  }

  /** The slice is stored. */
  next(): void {
    this.#slices[this.#number] ??= this.#noted;
    this.#number++;
    this.#noted = [];
  }

  /** The batch is run once more, with the same slices. */
  again(): void {
    this.#number = 0;
    this.#noted = [];
  }

  get entries(): readonly Uint8Array<ArrayBuffer>[] {
    return this.#slices.flat().filter(({ length }) => length > 0);
  }
}
