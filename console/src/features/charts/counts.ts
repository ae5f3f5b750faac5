/** What bars say, for those who do not see them. Pure. */
import * as m from '../../messages/counts.ts';
import { exactNumber } from '../../ui/numbers.ts';
import type { Point } from './bars.ts';

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
