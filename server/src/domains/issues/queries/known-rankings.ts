/**
 * Orders of hashes that were asked for lately: a bound of each that what an issue is sorted by never lies above. An order
 * holds for issues that got no events since it was read; those that did are named beside it, and looked at in any case.
 *
 * An order: read → forgotten, when many issues got events, events moved between issues, or it is old.
 */
import type { Live, LiveMessage } from '../../../base/live.ts';
import { steadyMs } from '../../../base/steady.ts';
import { hasAll } from './known-entry.ts';
import type { BoundedHash } from './ranking.ts';

export interface KnownRanking {
  /** Highest first. */
  readonly hashes: readonly BoundedHash[];
  /** Issues whose events may be more than their hashes' bounds say. */
  readonly gained: ReadonlySet<number>;
}

interface Entry extends KnownRanking {
  readonly readAt: number;
  readonly gained: Set<number>;
}

/** Each is up to some thousand hashes. */
const maxRankings = 4;
/** To look at so many in any case costs less than the order. */
const maxGained = 200;
const oldMs = 60_000;

export class KnownRankings implements Disposable {
  /** By key; those asked for last at the end. */
  readonly #entries = new Map<string, Entry>();
  /** Under way. */
  readonly #readings = new Set<{ readonly fromMs: number; readonly gained: Set<number>; isMoved: boolean }>();
  readonly #unsubscribe: () => void;

  constructor({ live }: { readonly live: Live }) {
    this.#unsubscribe = live.subscribe((message) => {
      if (message.type === 'events') this.#note(message);
      else if (message.type === 'missed' || (message.type === 'issues' && !message.sameEvents)) this.#forget();
    });
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#entries.clear();
  }

  /** `key`: all that the order follows from. */
  async ask(key: string, read: () => Promise<readonly BoundedHash[]>): Promise<KnownRanking> {
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    if (known && steadyMs() - known.readAt < oldMs && known.gained.size <= maxGained) {
      this.#entries.set(key, known);
      return known;
    }
    const reading = { fromMs: steadyMs(), gained: new Set<number>(), isMoved: false };
    this.#readings.add(reading);
    try {
      const entry = { hashes: await read(), gained: reading.gained, readAt: reading.fromMs };
      if (!reading.isMoved) this.#keep(key, entry);
      return entry;
    } finally {
      this.#readings.delete(reading);
    }
  }

  #keep(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > maxRankings && oldest !== undefined) this.#entries.delete(oldest);
  }

  #note({ issueIds, gained }: Extract<LiveMessage, { type: 'events' }>): void {
    const standing = [
      ...[...this.#entries.values()].map((entry) => ({ fromMs: entry.readAt, gained: entry.gained })),
      ...this.#readings,
    ];
    for (const one of standing) {
      if (hasAll(gained, one.fromMs) || one.gained.size > maxGained) continue;
      for (const id of issueIds) one.gained.add(id);
    }
  }

  #forget(): void {
    this.#entries.clear();
    for (const reading of this.#readings) reading.isMoved = true;
  }
}
