/**
 * Orders of hashes that were asked for lately: a bound of each that what an issue is sorted by never lies above. An order
 * holds for issues that got no events since it was read; those that did are named beside it, and looked at in any case.
 *
 * An order: read → forgotten, when many issues got events, events moved between issues, or it is old.
 */
import type { Live, LiveMessage } from '../../../base/live.ts';
import { hasAll } from './known-entry.ts';
import type { BoundedHash } from './ranking.ts';
import { RecentAnswers } from './recent-answers.ts';

export interface KnownRanking {
  /** Highest first. */
  readonly hashes: readonly BoundedHash[];
  /** Issues whose events may be more than their hashes' bounds say. */
  readonly gained: ReadonlySet<number>;
}

/** Each is up to some thousand hashes. */
const maxRankings = 4;
/** To look at so many in any case costs less than the order. */
const maxGained = 200;
const oldMs = 60_000;

export class KnownRankings implements Disposable {
  /** With what was gained since. */
  readonly #answers = new RecentAnswers<readonly BoundedHash[], Set<number>>({ most: maxRankings, oldMs });
  readonly #unsubscribe: () => void;

  constructor({ live }: { readonly live: Live }) {
    this.#unsubscribe = live.subscribe((message) => {
      if (message.type === 'events') this.#note(message);
      else if (message.type === 'missed' || (message.type === 'issues' && !message.sameEvents))
        this.#answers.forgetAll();
    });
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
    this.#answers.forgetAll();
  }

  /** `key`: all that the order follows from. */
  async ask(key: string, read: () => Promise<readonly BoundedHash[]>): Promise<KnownRanking> {
    const { answer, note } = await this.#answers.ask(key, new Set(), read, ({ size }) => size <= maxGained);
    return { hashes: answer, gained: note };
  }

  #note({ issueIds, gained }: Extract<LiveMessage, { type: 'events' }>): void {
    for (const { readAt, note } of this.#answers.standing()) {
      if (hasAll(gained, readAt) || note.size > maxGained) continue;
      for (const id of issueIds) note.add(id);
    }
  }
}
