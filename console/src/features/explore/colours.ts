/** Which colour and dash a group has: they follow the group, not its rank, so that it keeps them when others come and go. */
import type { ChartToken } from '../charts/series.ts';

export interface Stroke {
  readonly token: ChartToken;
  readonly dash: readonly number[];
}

/** A place is a colour with a dash of its own: neither alone has to tell two lines apart. */
const strokes: readonly Stroke[] = [
  { token: '--series-1', dash: [] },
  { token: '--series-2', dash: [7, 3] },
  { token: '--series-3', dash: [2, 2] },
  { token: '--series-4', dash: [9, 3, 2, 3] },
  { token: '--series-5', dash: [4, 4] },
  { token: '--series-6', dash: [12, 3] },
  { token: '--series-7', dash: [2, 4] },
];

/** Of all that belong to no group of their own. */
export const otherStroke: Stroke = { token: '--text-faint', dash: [1, 3] };

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return value >>> 0;
}

/**
 * A stroke for each group. Whose own place is taken gets the next one; who comes first (in the order of names, not of
 * numbers) keeps it. More groups than places share them.
 */
export function strokesOf(groups: readonly string[]): ReadonlyMap<string, Stroke> {
  const taken = new Set<number>();
  const found = new Map<string, Stroke>();
  for (const group of [...new Set(groups)].toSorted((a, b) => (a < b ? -1 : 1))) {
    let place = hash(group) % strokes.length;
    while (taken.has(place) && taken.size < strokes.length) place = (place + 1) % strokes.length;
    taken.add(place);
    found.set(group, strokes[place] ?? otherStroke);
  }
  return found;
}
