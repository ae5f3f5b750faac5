/** The same as the picture in words, for those who do not see it. Pure. */
import * as m from '../../messages/charts.ts';
import { exactNumber } from '../../ui/numbers.ts';
import { type Point } from './bars.ts';
import type { ChartSeries } from './series.ts';

/** Each line's last value and its highest with the time. */
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

/** What is counted. */
export type Noun = keyof typeof m.total;

/** `132 events, peak 40 at 2026-11-21 02:00` */
export function countsSentence(
  points: readonly Point[],
  noun: Noun = 'event',
  formatTime: (ms: number) => string = (ms) => new Date(ms).toISOString().slice(0, 16).replace('T', ' '),
): string {
  const total = points.reduce((sum, [, count]) => sum + count, 0);
  if (total === 0) return m.none[noun];
  const peak = points.reduce((best, point) => (point[1] > best[1] ? point : best));
  return m.counts({
    total: m.total[noun]({ count: total }),
    peak: exactNumber(peak[1]),
    time: formatTime(peak[0] * 1000),
  });
}
