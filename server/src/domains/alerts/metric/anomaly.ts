/**
 * How unusual a value is for its hour of the week.
 *
 * It is compared with the median of the windows at and around the same time of earlier weeks, in units of how far such
 * windows usually are from it: the median of their distances (MAD), made comparable with a standard deviation. Both are
 * robust: one bad Tuesday does not make the next one usual. Where nearly all windows are alike, chance itself sets the unit:
 * the square root of a count, or a twentieth of the median.
 */
import type { Sensitivity } from '../types.ts';
import type { Thresholds } from './levels.ts';

const weekMs = 7 * 86_400_000;
export const weeksLooked = 4;
const weeksNeeded = 2;
/** Of a normal distribution the MAD is so much of the standard deviation. */
const madOfDeviation = 0.6745;

/** From how many units on a value is unusual: warning, and critical. */
const limits: Readonly<Record<Sensitivity, readonly [warning: number, critical: number]>> = {
  low: [6, 10],
  medium: [4.5, 7.5],
  high: [3, 5],
};

export function anomalyThresholds(sensitivity: Sensitivity): Thresholds {
  const [warning, critical] = limits[sensitivity];
  return { warning, critical, resolve: warning * 0.75 };
}

/** Ends of the windows that one ending at `untilMs` is compared with, the nearest week first: three a week, up to an hour apart. */
export function comparedWindows(untilMs: number, windowMs: number): readonly (readonly number[])[] {
  const apartMs = Math.min(windowMs, 3_600_000);
  return Array.from({ length: weeksLooked }, (_, week) =>
    [-apartMs, 0, apartMs].map((shift) => untilMs - (week + 1) * weekMs + shift),
  );
}

export interface Usual {
  readonly median: number;
  /** One unit. */
  readonly spread: number;
  readonly windows: number;
  readonly weeks: number;
}

/** Windows by week; null for those of which nothing is known. Undefined while fewer than two weeks have any. */
export function usualOf(weeks: readonly (readonly (number | null)[])[], isCount: boolean): Usual | undefined {
  const known = weeks.map((values) => values.filter((value) => value !== null)).filter((values) => values.length > 0);
  if (known.length < weeksNeeded) return undefined;
  const values = known.flat();
  const median = medianOf(values);
  const mad = medianOf(values.map((value) => Math.abs(value - median)));
  const chance = Math.max(Math.abs(median) * 0.05, isCount ? Math.max(1, Math.sqrt(Math.abs(median))) : 1e-9);
  return { median, spread: Math.max(mad / madOfDeviation, chance), windows: values.length, weeks: known.length };
}

/** In units, positive above what is usual. */
export const unusualness = (value: number, { median, spread }: Usual): number => (value - median) / spread;

export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
