/** What charts show, before it is drawn. Times are seconds since the epoch unless named. */

/** Colours of series. Charts that name none take `--series-1` onwards: neighbours are the furthest apart. */
export const chartTokens = [
  '--series-1',
  '--series-2',
  '--series-3',
  '--series-4',
  '--series-5',
  '--series-6',
  '--series-7',
  '--text-faint',
  '--accent',
  '--level-error',
  '--level-warning',
  '--ok',
] as const;
export type ChartToken = (typeof chartTokens)[number];

export interface ChartSeries {
  readonly label: string;
  /** At the end of its line, where the label is too long for that. */
  readonly short?: string;
  /** The label is what users have named, not a word of ours. */
  readonly isData?: boolean;
  /** One for each time; null where nothing was measured. */
  readonly values: readonly (number | null)[];
  /** Of estimated values, one for each time: between which ends the exact one lies; null where that is not known. */
  readonly ranges?: readonly (readonly [low: number | null, high: number | null])[] | undefined;
  readonly token: ChartToken;
  /** Lengths of strokes and gaps, px; none for a whole line. */
  readonly dash?: readonly number[];
  /** Points alone, without a line between them. */
  readonly dots?: boolean;
  /** Fills what lies under it. */
  readonly filled?: boolean;
  /** Fills what lies between it and the series of this index: percentiles as a band. */
  readonly bandTo?: number;
}

/** A value that is compared with: a line across the chart. */
export interface Threshold {
  readonly label: string;
  readonly value: number;
  readonly token: ChartToken;
  readonly dash: readonly number[];
}

/** A part of the time that is marked; seconds since the epoch. */
export interface ChartBand {
  readonly from: number;
  readonly until: number;
}

/** Buckets of one length, without gaps; in a chart each is a column. */
export interface TimeSpan {
  readonly from: number;
  readonly until: number;
  readonly columns: number;
}

/** From the first time until the end of the last bucket. */
export function timeSpan(times: readonly number[], bucketSeconds: number): TimeSpan {
  const from = times[0] ?? 0;
  const until = (times.at(-1) ?? from) + bucketSeconds;
  return { from, until, columns: times.length };
}

/** Which column a moment is in; undefined outside. */
export function columnAt(at: number | undefined, { from, until, columns }: TimeSpan): number | undefined {
  if (at === undefined || at < from || at >= until || columns === 0) return undefined;
  return Math.min(columns - 1, Math.floor(((at - from) / (until - from)) * columns));
}

/** Where a moment stands, from 0 to 1; beyond the span it is beyond them. */
export const placeInTime = (at: number, { from, until }: TimeSpan): number => (at - from) / Math.max(1, until - from);

/** When columns begin and end, ms. */
export function timeOfColumns(first: number, last: number, span: TimeSpan): { startMs: number; endMs: number } {
  const width = (span.until - span.from) / Math.max(1, span.columns);
  return { startMs: (span.from + first * width) * 1000, endMs: (span.from + (last + 1) * width) * 1000 };
}
