import { chosenTime } from '../../messages/filters.ts';
import type { Point } from '../charts/bars.ts';
import { rangeLabel } from '../filters/range-words.ts';
import type { Issue } from './queries.ts';

/** Events over time as a row of a list has them, and of which time: `Last 14 days`. */
export function trendOf({ stats }: Pick<Issue, 'stats'>): { readonly points: readonly Point[]; readonly time: string } {
  const [[label, points] = ['', []]] = Object.entries(stats);
  return { points, time: label === 'range' ? chosenTime : rangeLabel({ range: label }) };
}
