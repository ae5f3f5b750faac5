/** Lines over time, before they are drawn. Pure. */
import * as m from '../../messages/charts.ts';
import type { ChartSeries } from './series.ts';

/** Values with nothing on either side: a line would not show them. */
export function lonePoints(values: readonly (number | null)[]): number[] {
  return values.flatMap((value, index) =>
    value !== null && (values[index - 1] ?? null) === null && (values[index + 1] ?? null) === null ? [index] : [],
  );
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
export function linesSentence(
  series: readonly Pick<ChartSeries, 'label' | 'values'>[],
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
    const [highest, latest] = [values[peak], values[last]];
    if (highest === undefined || highest === null || latest === undefined || latest === null) return [];
    return [
      m.line({
        label,
        last: format(latest),
        highest: format(highest),
        time: formatTime((times[peak] ?? 0) * 1000),
      }),
    ];
  });
  return parts.length ? parts.join('. ') : m.noData;
}
