/** Requests to erase in words. Pure. */
import * as m from '../../messages/erase.ts';
import { exactNumber } from '../../ui/numbers.ts';
import type { Counts } from './queries.ts';

const names: Readonly<Record<string, string>> = m.kinds;

/** `Events`; what has no name yet is named as the API does. */
export const kindName = (kind: string): string => names[kind] ?? kind;

/** `12`, or `12, and 3 that name the person` */
export function countText({ own, mentioned }: Pick<Counts[number], 'own' | 'mentioned'>): string {
  if (mentioned === 0) return exactNumber(own);
  const words = { own: exactNumber(own), mentioned: exactNumber(mentioned) };
  return own === 0 ? m.onlyMentioned(words) : m.alsoMentioned(words);
}

export const totalOf = (counts: Counts): number => counts.reduce((sum, { own, mentioned }) => sum + own + mentioned, 0);
