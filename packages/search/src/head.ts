/** What stands before a value: `!level:`, `tags[x]:`, `"odd key":`, `p95(span.duration):`. */
import { callPattern } from './functions.ts';
import { unquote } from './quotes.ts';

const key = String.raw`"(?:[^"\\\n]|\\.){1,200}"|tags\[[^\]\s,]{1,200} {0,9}(?:, {0,9}(?:string|number|boolean) {0,9})?\]|flags\["(?:[^"\\\n]|\\.){1,200}"\]|[A-Za-z0-9_.-]{1,200}`;

/** `!`, then a key or a call, then the colon. */
const filterPattern = new RegExp(`(!?)(?:(${key})|${callPattern}):`, 'y');

export interface FilterHead {
  readonly start: number;
  /** Behind the colon. */
  readonly end: number;
  readonly negated: boolean;
  /** Without quotes; of a call as written, arguments included. */
  readonly name: string;
  readonly call?: { readonly name: string; readonly inside: string };
}

export function filterAt(query: string, start: number): FilterHead | undefined {
  filterPattern.lastIndex = start;
  const match = filterPattern.exec(query);
  if (!match) return undefined;
  const [whole, not, written, name = '', inside = ''] = match;
  const end = filterPattern.lastIndex;
  // An address in free text is no filter called "https".
  if (written && /^(https?|wss?|file)$/i.test(written) && query.startsWith('//', end)) return undefined;
  const head = { start, end, negated: not !== '' };
  if (written === undefined) return { ...head, name: whole.slice(not?.length, -1), call: { name, inside } };
  return { ...head, name: written.startsWith('"') ? unquote(written) : written };
}
