/** A word for each kind of performance problem, short enough to stand in a row. */
import * as m from '../../messages/waterfall.ts';

const words: Readonly<Record<string, string>> = m.problems;

export function problemWord(type: string): string {
  const known = Object.hasOwn(words, type) ? words[type] : undefined;
  return known ?? (type.replace(/^performance_/, '').replaceAll('_', ' ') || m.problem);
}
