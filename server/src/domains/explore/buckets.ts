/** Time in buckets of one length, aligned so that the same bucket is the same time whenever it is asked for. */
import type { ExactRange } from '../../base/time-range.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

export const maxBuckets = 300;

/** How many there are of themselves: enough to see a shape. */
const wantedBuckets = 120;

const sizes: readonly number[] = [
  ...[1, 5, 10, 15, 30].map((count) => count * secondMs),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minuteMs),
  ...[1, 2, 3, 4, 6, 12].map((count) => count * hourMs),
  ...[1, 2, 7, 14, 28, 91, 364].map((count) => count * dayMs),
];

const units: Readonly<Record<string, number>> = {
  s: secondMs,
  m: minuteMs,
  h: hourMs,
  d: dayMs,
  w: 7 * dayMs,
};

export interface Buckets {
  /** Of the first one, ms since the epoch; at or before the start of the range. */
  readonly startMs: number;
  readonly bucketMs: number;
  readonly count: number;
}

/** `5m`, or seconds without a unit; undefined for none. */
export function parseInterval(text: string | undefined): number | undefined {
  const match = /^(\d{1,9})([smhdw]?)$/.exec(text ?? '');
  const ms = match ? Number(match[1]) * (units[match[2] ?? ''] ?? secondMs) : 0;
  return ms > 0 ? ms : undefined;
}

/** Of the length that is asked for, or longer where there would be too many; `wanted` where none is. */
export function bucketsOf(
  { startMs, endMs }: ExactRange,
  askedMs: number | undefined,
  wanted = wantedBuckets,
): Buckets {
  const most = askedMs === undefined ? wanted : maxBuckets;
  // One more than fits may be begun, by the alignment.
  const fits = (size: number): boolean => Math.ceil((endMs - startMs) / size) < most;
  const bucketMs =
    askedMs !== undefined && fits(askedMs)
      ? askedMs
      : (sizes.find((size) => size >= (askedMs ?? 0) && fits(size)) ??
        Math.ceil((endMs - startMs) / most / dayMs + 1) * dayMs);
  const first = Math.floor(startMs / bucketMs) * bucketMs;
  return { startMs: first, bucketMs, count: Math.max(1, Math.ceil((endMs - first) / bucketMs)) };
}
