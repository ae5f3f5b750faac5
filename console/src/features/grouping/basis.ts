/** What decided about a hash, in words. */
import * as m from '../../messages/grouped-by.ts';

const words: Readonly<Record<string, string>> = m.basis;

/** Reads on from “grouped by”. What is not in the table is its own word. */
export function basisWords(basis: string): string {
  return Object.hasOwn(words, basis) ? (words[basis] ?? basis) : basis;
}
