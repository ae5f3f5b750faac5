/** From what would have made a rule fire to what would have been told: throttle and digests, as the evaluator has them. Pure. */
import type { Interval } from '../../../base/texts/intl.ts';

export interface Spark {
  /** ms since the epoch. */
  readonly at: number;
  readonly issueId: number | null;
  readonly why: string;
  readonly value: number | null;
  /** Undefined where the value is right to 1 %, or there is none. */
  readonly estimate?: Interval | undefined;
}

export interface Folded<S extends Spark> {
  /** That would have been told, the earliest first. */
  readonly fired: readonly S[];
  readonly messages: number;
}

/** Without a throttle, what holds still would fire at each look. */
const leastApartMs = 60_000;
/** What one look finds is told together. */
const lookMs = 1_000;

export function fold<S extends Spark>(
  sparks: readonly S[],
  { throttleMinutes, digestMinutes }: { readonly throttleMinutes: number; readonly digestMinutes: number },
): Folded<S> {
  const throttleMs = Math.max(leastApartMs, throttleMinutes * 60_000);
  const last = new Map<number | null, number>();
  const fired = sparks
    .toSorted((a, b) => a.at - b.at)
    .filter(({ at, issueId }) => {
      const before = last.get(issueId);
      if (before !== undefined && at - before < throttleMs) return false;
      last.set(issueId, at);
      return true;
    });
  let messages = 0;
  let messageAt = -Infinity;
  let gathering = false;
  for (const { at } of fired) {
    if (!gathering && at - messageAt < lookMs) continue;
    if (gathering && at >= messageAt + digestMinutes * 60_000) {
      // What was gathered went out in between.
      messages += 1;
      messageAt += digestMinutes * 60_000;
      gathering = false;
    }
    if (at - messageAt >= digestMinutes * 60_000) {
      messages += 1;
      messageAt = at;
    } else gathering = true;
  }
  return { fired, messages: messages + (gathering ? 1 : 0) };
}

/** More than that in a week wakes people for nothing. */
export const manyAWeek = 50;
const wantedAWeek = 5;

export interface Raised {
  readonly threshold: number;
  readonly count: number;
}

/**
 * The lowest round threshold beyond the one that it has with which it would have fired seldom; undefined where values do not
 * tell. What is always exceeded fires once and never again, so that lower ones look as if they were better.
 */
export function raisedThreshold(
  values: readonly number[],
  before: number,
  countAt: (threshold: number) => number,
): Raised | undefined {
  const candidates = [...new Set(values.map(roundUp))].filter((value) => value > before).toSorted((a, b) => a - b);
  let [low, high] = [0, candidates.length - 1];
  let found: Raised | undefined;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const threshold = candidates[middle] ?? 0;
    const count = countAt(threshold);
    if (count <= wantedAWeek) {
      found = { threshold, count };
      high = middle - 1;
    } else low = middle + 1;
  }
  return found;
}

/** To two digits. */
function roundUp(value: number): number {
  if (value <= 10) return Math.ceil(value);
  const size = 10 ** (Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / size) * size;
}
