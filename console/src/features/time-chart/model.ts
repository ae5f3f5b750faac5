/** What a chart over time shows, worked out before it is drawn: pure functions. Times are seconds since the epoch unless named. */
import { plural } from '../../ui/numbers.ts';

/** Colours that the canvas knows. */
export const chartTokens = [
  '--text-faint',
  '--line',
  '--line-control',
  '--accent',
  '--level-error',
  '--level-warning',
  '--ok',
  '--op-http',
  '--op-ui',
  '--op-cache',
  '--op-resource',
  '--op-db',
  '--op-queue',
  '--op-ai',
] as const;
export type ChartToken = (typeof chartTokens)[number];

export interface ChartSeries {
  readonly label: string;
  /** At the end of its line, where the label is too long for that. */
  readonly short?: string;
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
}

/** A part of the time that is marked; seconds since the epoch. */
export interface ChartBand {
  readonly from: number;
  readonly until: number;
}

export interface ChartMark {
  readonly at: number;
  readonly label: string;
  /** All of it, for those who point at it or hear it. */
  readonly detail: string;
  /** Release that its link opens. */
  readonly version: string;
}

/** px beside the plot: for the numbers of the axis, and for the names of lines. */
export const axisWidth = 58;
export const plainEdge = 20;
export const labelledEdge = 40;

/** Marks that would touch each other stand as one. */
export interface PlacedMarks {
  readonly marks: readonly ChartMark[];
  /** px from the left of the plot. */
  readonly x: number;
}

/** From the first time until the end of the last bucket. */
export function timeSpan(times: readonly number[], bucketSeconds: number): { from: number; until: number } {
  const from = times[0] ?? 0;
  return { from, until: (times.at(-1) ?? from) + bucketSeconds };
}

/** By place; a mark outside of the span is left out. */
export function placeMarks(
  marks: readonly ChartMark[],
  span: { readonly from: number; readonly until: number },
  width: number,
  leastGap = 26,
): PlacedMarks[] {
  const placed: { marks: ChartMark[]; x: number }[] = [];
  for (const mark of marks.toSorted((a, b) => a.at - b.at)) {
    if (mark.at < span.from || mark.at > span.until || !(width > 0)) continue;
    const x = Math.round(((mark.at - span.from) / Math.max(1, span.until - span.from)) * width);
    const last = placed.at(-1);
    if (last && x - last.x < leastGap) last.marks.push(mark);
    else placed.push({ marks: [mark], x });
  }
  return placed;
}

/** Whether there is no room for its name on its right. */
export const isAtEdge = ({ x }: PlacedMarks, width: number): boolean => width - x < 80;

/** What a mark, or several at one place, is called. */
export function marksLabel({ marks }: PlacedMarks): string {
  return marks.length === 1 ? (marks[0]?.label ?? '') : plural(marks.length, 'release');
}

/** A drawn range as whole buckets, ms. Undefined for what is too small to be meant. */
export function brushedRange(
  from: number,
  until: number,
  times: readonly number[],
  bucketSeconds: number,
): { startMs: number; endMs: number } | undefined {
  const span = timeSpan(times, bucketSeconds);
  const first = Math.max(0, Math.floor((Math.min(from, until) - span.from) / bucketSeconds));
  const last = Math.min(times.length, Math.ceil((Math.max(from, until) - span.from) / bucketSeconds));
  if (!(last > first) || !times.length) return undefined;
  return { startMs: (span.from + first * bucketSeconds) * 1000, endMs: (span.from + last * bucketSeconds) * 1000 };
}

/** Values with nothing on either side: a line would not show them. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
}

/** Top of the axis: a little over the highest value, and never less than `least`. */
export function highest(series: readonly ChartSeries[], least: number): number {
  let most = 0;
  for (const { values } of series) for (const value of values) if (value !== null && value > most) most = value;
  return Math.max(least, most * 1.08);
}

/** Stretches of a line over which it is known between which ends its values lie, as indices. */
export function rangeRuns(
  ranges: ChartSeries['ranges'],
): (readonly { readonly index: number; readonly low: number; readonly high: number }[])[] {
  const runs: { index: number; low: number; high: number }[][] = [];
  let run: { index: number; low: number; high: number }[] | undefined;
  for (const [index, [low, high]] of (ranges ?? []).entries()) {
    if (low === null || high === null) {
      run = undefined;
      continue;
    }
    if (!run) runs.push((run = []));
    run.push({ index, low, high });
  }
  return runs;
}

/** Bands of more lines would lie over each other: of those the numbers alone say how far they may be off. */
const mostBands = 2;

export const hasBands = (series: readonly ChartSeries[]): boolean =>
  series.filter(({ ranges }) => ranges).length <= mostBands;

/** A value; with how far it may be off, where it is estimated. */
export function pointWords(
  { values, ranges }: Pick<ChartSeries, 'values' | 'ranges'>,
  index: number,
  format: (value: number) => string,
): string {
  const value = values[index] ?? null;
  if (value === null) return '–';
  return ranges ? `${format(value)} ${offBy(value, ranges[index] ?? [null, null])}` : format(value);
}

/** Room for it, beside any value. */
export const widestOff = ' ±>100%';

/** `±8%`; `±?` where it is not known. */
export function offBy(value: number, [low, high]: readonly [low: number | null, high: number | null]): string {
  if (low === null || high === null) return '±?';
  const off = Math.max(high - value, value - low);
  if (off <= 0) return '';
  const share = value === 0 ? Infinity : Math.abs(off / value);
  if (share > 1) return '±>100%';
  return `±${share < 0.01 ? Number((share * 100).toPrecision(1)) : Math.round(share * 100)}%`;
}

/** Steps of an axis of counts: there is no half of an event. */
export const wholeSteps: readonly number[] = Array.from({ length: 13 }, (_, power) => 10 ** power).flatMap((power) => [
  power,
  2 * power,
  5 * power,
]);

/** Bottom of the axis: nought, unless something lies under it. */
export function lowest(series: readonly ChartSeries[]): number {
  let least = 0;
  for (const { values } of series) for (const value of values) if (value !== null && value < least) least = value;
  return least * 1.08;
}

/** Names at the ends of lines: as near to `wanted` (px from the top) as they can stand without touching. */
export function placeLabels(wanted: readonly number[], gap: number, bottom: number): number[] {
  const order = [...wanted.keys()].toSorted((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const placed = [...wanted];
  let top = -Infinity;
  for (const index of order) {
    top = Math.max(wanted[index] ?? 0, top + gap);
    placed[index] = top;
  }
  let low = bottom + gap;
  for (const index of order.toReversed()) {
    low = Math.min(placed[index] ?? 0, low - gap);
    placed[index] = low;
  }
  return placed;
}

/** The same as the picture in words: each line's last value and its highest with the time. */
export function chartSentence(
  series: readonly ChartSeries[],
  times: readonly number[],
  format: (value: number) => string,
  formatTime: (ms: number) => string,
): string {
  const parts = series.flatMap(({ label, values }) => {
    let peak = -1;
    let last = -1;
    values.forEach((value, index) => {
      if (value === null) return;
      last = index;
      if (peak < 0 || value > (values[peak] ?? 0)) peak = index;
    });
    const [highestValue, lastValue] = [values[peak], values[last]];
    if (highestValue === undefined || highestValue === null || lastValue === undefined || lastValue === null) return [];
    return [
      `${label}: last ${format(lastValue)}, highest ${format(highestValue)} at ${formatTime((times[peak] ?? 0) * 1000)}`,
    ];
  });
  return parts.length ? parts.join('. ') : 'Nothing was measured';
}
