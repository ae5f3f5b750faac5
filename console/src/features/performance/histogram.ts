/** A histogram of durations over an axis by octaves: where durations stand, and what it says. Pure; durations in ms. */
import * as m from '../../messages/charts.ts';
import type { Tick } from '../charts/scales.ts';
import { milliseconds } from './words.ts';

export interface HistogramBar {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly count: number;
}

export interface Range {
  readonly from: number;
  readonly until: number;
}

/** Whether any of a bar's durations is among the picked ones. */
export const isPicked = (bar: HistogramBar | undefined, picked: Range | undefined): boolean =>
  picked === undefined || (bar !== undefined && bar.untilMs > picked.from && bar.fromMs < picked.until);

/** Where a duration stands, from 0 to 1; within its bar by its logarithm. */
export function placeOf(ms: number, bars: readonly HistogramBar[]): number {
  const [first, last] = [bars[0], bars.at(-1)];
  if (!first || !last || ms <= first.fromMs) return 0;
  if (ms >= last.untilMs) return 1;
  const index = bars.findIndex((bar) => ms < bar.untilMs);
  const bar = bars[index];
  if (!bar) return 1;
  const from = Math.max(bar.fromMs, 0.001);
  const within = Math.log(Math.max(ms, from) / from) / Math.log(bar.untilMs / from);
  return (index + Math.min(1, Math.max(0, within))) / bars.length;
}

/** Edges that are named: not more than fit, from the left. */
export function axisTicks(bars: readonly HistogramBar[], most: number, format: (ms: number) => string): Tick[] {
  const step = [1, 2, 4, 8, 16, 32, 64].find((size) => bars.length / size <= most) ?? 64;
  return bars.flatMap(({ fromMs }, index) =>
    index % step === 0 ? [{ value: fromMs, place: index / bars.length, label: format(fromMs) }] : [],
  );
}

/** Transactions within a range. */
export const countWithin = (bars: readonly HistogramBar[], range: Range): number =>
  bars.reduce((sum, bar) => (bar.fromMs >= range.from && bar.untilMs <= range.until ? sum + bar.count : sum), 0);

/** How many, and where most of them are. */
export function histogramSentence(bars: readonly HistogramBar[]): string {
  const total = bars.reduce((sum, { count }) => sum + count, 0);
  const [peak] = bars.toSorted((a, b) => b.count - a.count);
  return peak && total > 0
    ? m.histogram({
        total: m.transactionCount({ count: total }),
        from: milliseconds(peak.fromMs),
        until: milliseconds(peak.untilMs),
        count: peak.count,
      })
    : m.noTransactions;
}
