/** Values that may be off: how far, in words and as a band. Pure. */
import type { ChartSeries } from './series.ts';

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

export const hasRangeBands = (series: readonly ChartSeries[]): boolean =>
  series.filter(({ ranges }) => ranges).length <= mostBands;

/** A value; with how far it may be off, where it is estimated. */
export function pointWords(
  { values, ranges }: Pick<ChartSeries, 'values' | 'ranges'>,
  index: number,
  format: (value: number) => string,
): string {
  const value = values[index] ?? null;
  if (value === null) return '–';
  const off = ranges && offBy(value, ranges[index] ?? [null, null]);
  return off ? `${format(value)} ${off}` : format(value);
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
