/**
 * The batches of a log on one machine, as this process knows them.
 *
 * States of a batch: leased ⇄ due (released, or left by a process that is gone) → acknowledging → gone.
 */
import type { Batch, LeaseLimits, Position } from './log.ts';
import type { BatchRange, LmdbStore } from './lmdb-store.ts';

interface KnownBatch {
  readonly range: BatchRange;
  state: 'leased' | 'due' | 'acknowledging';
  /** While acknowledging. */
  gone?: Promise<void>;
}

export class KnownBatches {
  readonly #batches = new Map<Position, KnownBatch>();
  /** Everything below has been leased at some time. */
  #leasedBelow: Position = 1;

  /** Those that a process before this one has left. */
  constructor(left: readonly BatchRange[]) {
    for (const range of left) this.#add({ range, state: 'due' });
  }

  #add(batch: KnownBatch): void {
    this.#batches.set(batch.range.from, batch);
    this.#leasedBelow = batch.range.to + 1;
  }

  addLeased(range: BatchRange): void {
    this.#add({ range, state: 'leased' });
  }

  /** What nobody has leased yet, up to the limits; undefined where there is nothing. */
  nextRange(store: LmdbStore, { maxRecords, maxBytes }: LeaseLimits): BatchRange | undefined {
    let range: BatchRange | undefined;
    for (const { position, bytes } of store.sizes(this.#leasedBelow)) {
      if (range && range.bytes + bytes > maxBytes) break;
      range = range
        ? { from: range.from, to: position, records: range.records + 1, bytes: range.bytes + bytes }
        : { from: position, to: position, records: 1, bytes };
      if (range.records >= maxRecords) break;
    }
    return range;
  }

  firstDue(): KnownBatch | undefined {
    let first: KnownBatch | undefined;
    for (const batch of this.#batches.values()) {
      if (batch.state === 'due' && (!first || batch.range.from < first.range.from)) first = batch;
    }
    return first;
  }

  release(batch: Pick<Batch, 'from' | 'to'>): void {
    const known = this.#known(batch);
    if (known?.state === 'leased') known.state = 'due';
  }

  /** Resolves once `forget` has; acknowledging twice is harmless. `isGone` is called for the first time alone. */
  acknowledge(
    batch: Pick<Batch, 'from' | 'to'>,
    forget: (range: BatchRange) => Promise<void>,
    isGone: () => void,
  ): Promise<void> {
    const known = this.#known(batch);
    if (!known) return Promise.resolve();
    if (known.state === 'acknowledging' && known.gone) return known.gone;
    known.state = 'acknowledging';
    known.gone = this.#forget(known, forget, isGone);
    return known.gone;
  }

  async #forget(known: KnownBatch, forget: (range: BatchRange) => Promise<void>, isGone: () => void): Promise<void> {
    try {
      await forget(known.range);
    } catch (error) {
      known.state = 'leased';
      throw error;
    }
    this.#batches.delete(known.range.from);
    isGone();
  }

  #known({ from, to }: Pick<Batch, 'from' | 'to'>): KnownBatch | undefined {
    const batch = this.#batches.get(from);
    return batch?.range.to === to ? batch : undefined;
  }

  /** Whether all records before a position are acknowledged. */
  isDoneBefore(store: LmdbStore, position: Position): boolean {
    for (const { range } of this.#batches.values()) if (range.from < position) return false;
    const [next] = store.sizes(this.#leasedBelow);
    return next === undefined || next.position >= position;
  }
}
