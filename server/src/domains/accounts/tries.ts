/**
 * Tries that are bounded: sign-ins, links, secrets, mails that somebody asks for. Counted by what they come from and what
 * they are about, in memory, or in the state store where several nodes share one.
 */
import type { State } from '../../ports/state/state.ts';
import { type Attempts, type Counted, type CountedOptions, createAttempts } from './attempts.ts';
import { countAttempt, takeBackAttempt } from './shared-attempts.ts';

export interface Tries {
  /** Counts a try under all keys unless one of them has to wait. Resolves to how long, ms; 0 for counted. */
  count(counted: readonly Counted[], options: CountedOptions): Promise<number>;
  /** Takes one back that was not wrong. Where the state store is away it stays counted, and is forgotten with the others. */
  takeBack(counted: readonly Counted[]): void;
}

/** `shared`: where other nodes count, too. */
export function createTries(shared: State | undefined): Tries {
  if (!shared) return countedInMemory();
  return {
    count: (counted, options) => countAttempt(shared, counted, options),
    takeBack: (counted) => void takeBackAttempt(shared, counted).catch(() => {}),
  };
}

function countedInMemory(): Tries {
  const byKind = new Map<string, Attempts>();
  const attemptsOf = ({ kind, rules }: Counted): Attempts => {
    let attempts = byKind.get(kind);
    if (!attempts) byKind.set(kind, (attempts = createAttempts(rules)));
    return attempts;
  };
  return {
    async count(counted, { now, forgivenAt = 0 }) {
      const last = counted.at(-1);
      if (last && attemptsOf(last).waitMs(last.key, now) > 0) {
        const since = attemptsOf(last).since(last.key) ?? now;
        if (since < forgivenAt) attemptsOf(last).forget(last.key);
      }
      const waitMs = Math.max(0, ...counted.map((one) => attemptsOf(one).waitMs(one.key, now)));
      if (waitMs === 0) for (const one of counted) attemptsOf(one).count(one.key, now);
      return waitMs;
    },
    takeBack(counted) {
      for (const one of counted) attemptsOf(one).takeBack(one.key);
    },
  };
}
