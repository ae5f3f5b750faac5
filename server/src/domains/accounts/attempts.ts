/**
 * How often somebody may be wrong. A key (an account, an address, a network) has so many wrong tries free; then each one
 * more is preceded by a pause that doubles up to a longest, until there was none for a while.
 */
export interface AttemptRules {
  readonly free: number;
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** After so long without a wrong try all are forgotten. */
  readonly forgottenAfterMs: number;
}

export interface Counted {
  /** Different for each set of rules. */
  readonly kind: string;
  readonly rules: AttemptRules;
  /** A name or an address: the state store has its hash. */
  readonly key: string;
}

export interface CountedOptions {
  readonly now: number;
  /** What was counted before that under the last of them is forgotten where it has to wait, ms since the epoch. */
  readonly forgivenAt?: number;
}

interface Count {
  wrong: number;
  readonly sinceMs: number;
  lastMs: number;
}

export interface Attempts {
  /** Until the next try may be made; 0 for now. */
  waitMs(key: string, nowMs: number): number;
  /** Counts a try as wrong before its outcome is known, so that many at once are counted too. */
  count(key: string, nowMs: number): void;
  /** Takes one back that was not wrong. */
  takeBack(key: string): void;
  /** Since when tries are counted; undefined when none are. */
  since(key: string): number | undefined;
  forget(key: string): void;
}

/** How long the pause after so many wrong tries is, ms. */
export const pauseAfter = (rules: AttemptRules, wrong: number): number =>
  wrong < rules.free ? 0 : Math.min(rules.firstPauseMs * 2 ** (wrong - rules.free), rules.longestPauseMs);

/** More are never remembered; the one that has been quiet for longest goes first. */
const maxKeys = 50_000;

export function createAttempts(rules: AttemptRules): Attempts {
  const counts = new Map<string, Count>();

  const current = (key: string, nowMs: number): Count | undefined => {
    const count = counts.get(key);
    if (!count || nowMs - count.lastMs < rules.forgottenAfterMs) return count;
    counts.delete(key);
    return undefined;
  };

  return {
    waitMs(key, nowMs) {
      const count = current(key, nowMs);
      return count ? Math.max(0, count.lastMs + pauseAfter(rules, count.wrong) - nowMs) : 0;
    },
    count(key, nowMs) {
      const count = current(key, nowMs) ?? { wrong: 0, sinceMs: nowMs, lastMs: nowMs };
      count.wrong += 1;
      count.lastMs = nowMs;
      counts.delete(key);
      counts.set(key, count);
      const [oldest] = counts.size > maxKeys ? counts.keys() : [];
      if (oldest !== undefined) counts.delete(oldest);
    },
    takeBack(key) {
      const count = counts.get(key);
      if (!count) return;
      count.wrong -= 1;
      if (count.wrong <= 0) counts.delete(key);
    },
    since: (key) => counts.get(key)?.sinceMs,
    forget: (key) => void counts.delete(key),
  };
}
