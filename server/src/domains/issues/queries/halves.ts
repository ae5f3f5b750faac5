/**
 * What the order `trends` is made of: how far the second half of the range lies above the first, in about the
 * deviations that chance would give, `(second - first) / √(first + second + 1)`. 9 events after 1 weigh as much as 104
 * after 72.
 */
import type { TimeRange } from '../../../base/time-range.ts';

const grainMs = { ms: 1, hour: 3_600_000, day: 86_400_000 } as const;

/** Where the second half begins, at a full hour or day where the range does. */
export function middleOf({ startMs, endMs, grain }: TimeRange): number {
  const step = grainMs[grain];
  return startMs + Math.ceil((endMs - startMs) / 2 / step) * step;
}

/** `count` is of the whole range, `recent` of its second half. */
export const riseOf = (count: number, recent: number): number => (2 * recent - count) / Math.sqrt(count + 1);

/** The same of two SQL expressions. */
export const riseSql = (count: string, recent: string): string =>
  `((2 * toFloat64(${recent}) - toFloat64(${count})) / sqrt(toFloat64(${count}) + 1))`;
