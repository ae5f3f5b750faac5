/** How sure the value of a window is: asked for the few that are told, not for all that are looked at. */
import { wasSampled } from './storm.ts';
import { readTableRows } from './table.ts';
import type { ExploreStores } from './types.ts';
import type { WindowOptions, WindowQuestion } from './windows.ts';

/** Holds the truth 19 times in 20; undefined where a count or rate of errors is right to 1 %, and for all other values. */
export async function windowInterval(
  stores: ExploreStores,
  { question, projects }: WindowQuestion,
  { signal, maxSeconds }: WindowOptions = {},
): Promise<{ readonly low: number; readonly high: number } | undefined> {
  if (!wasSampled(question, projects)) return undefined;
  const [axis] = question.axes;
  if (!axis) return undefined;
  const table = { ...question, columns: [axis], isGrouped: true, sort: [] };
  const page = { limit: 1, offset: 0, signal, maxSeconds };
  const { intervals } = await readTableRows(stores, table, projects, page);
  const [low, high] = intervals?.[0]?.[axis.text] ?? [];
  return typeof low === 'number' && typeof high === 'number' ? { low, high } : undefined;
}
