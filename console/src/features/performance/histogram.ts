/** A histogram of durations over an axis by octaves: what is drawn, and what a drag means. Pure; durations in ms. */

export interface HistogramBar {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly count: number;
}

export interface Range {
  readonly from: number;
  readonly until: number;
}

export interface DrawnBar extends HistogramBar {
  /** Of the height, from 0 to 1; what has any is seen. */
  readonly height: number;
  readonly isPicked: boolean;
}

const leastHeight = 0.02;

export function drawnBars(bars: readonly HistogramBar[], picked: Range | undefined): DrawnBar[] {
  const most = Math.max(1, ...bars.map(({ count }) => count));
  return bars.map((bar) => ({
    ...bar,
    height: bar.count === 0 ? 0 : Math.max(leastHeight, bar.count / most),
    isPicked: picked === undefined || (bar.untilMs > picked.from && bar.fromMs < picked.until),
  }));
}

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

/** From where a drag began to where it ended, as shares of the width: whole bars. */
export function draggedRange(begun: number, ended: number, bars: readonly HistogramBar[]): Range | undefined {
  if (!bars.length) return undefined;
  const indexOf = (place: number): number => Math.min(bars.length - 1, Math.max(0, Math.floor(place * bars.length)));
  const first = bars[indexOf(Math.min(begun, ended))];
  const last = bars[indexOf(Math.max(begun, ended))];
  return first && last && { from: first.fromMs, until: last.untilMs };
}

/** Edges that are named: not more than fit, from the left. */
export function axisTicks(bars: readonly HistogramBar[], most: number): { ms: number; place: number }[] {
  const step = [1, 2, 4, 8, 16, 32, 64].find((size) => bars.length / size <= most) ?? 64;
  return bars.flatMap(({ fromMs }, index) => (index % step === 0 ? [{ ms: fromMs, place: index / bars.length }] : []));
}

/** Transactions within a range. */
export const countWithin = (bars: readonly HistogramBar[], range: Range): number =>
  bars.reduce((sum, bar) => (bar.fromMs >= range.from && bar.untilMs <= range.until ? sum + bar.count : sum), 0);
