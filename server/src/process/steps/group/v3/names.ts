/** As in version 2, and Rust's names whichever way its compiler writes them. */
import type { Family } from '../../family.ts';
import { shortName as before } from '../v2/names.ts';

export function shortName(raw: string, family: Family): string {
  if (family !== 'native') return before(raw, family);
  // A line of a printed backtrace, taken for a name: it holds the commit of the compiler.
  if (raw.startsWith('at /')) return '';
  const name = before(raw, family);
  // Closures are numbered in one of the two ways.
  return name.includes('{closure') ? name.replace(/\{closure#\d{1,9}\}/g, '{{closure}}') : name;
}
