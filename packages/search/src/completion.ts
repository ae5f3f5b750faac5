/** What may be completed at a place of a query, also of one that is only half written. */
import { functionNames } from './functions.ts';
import { type FilterHead, filterAt } from './head.ts';
import { findKey, type SearchKey } from './keys.ts';
import { quotedEnd, unescapeQuotes, wordEnd } from './quotes.ts';
import { isComparable } from './typed.ts';
import type { DataSet, Place } from './types.ts';

export interface Completion {
  /** What is written so far, without the `!` and the colon; a completion takes its place. */
  readonly replace: Place;
  /** `operator`: a comparison may be written, or a value at once. After `has:` and within a call a `key`. */
  readonly kind: 'key' | 'value' | 'operator';
  /** Of the value or operator. */
  readonly key?: SearchKey;
  /** What of it stands before the offset, without quotes. */
  readonly prefix: string;
}

const separator = /[\s()]/;

/** `offset` is put inside the query where it is not. */
export function completionsAt(query: string, offset: number, dataSet: DataSet): Completion {
  const caret = Math.max(0, Math.min(Math.trunc(offset) || 0, query.length));
  return argumentAt(query, caret, dataSet) ?? termAt(query, caret, dataSet);
}

/** Within a call that is not closed yet: `p95(span.du`. */
function argumentAt(query: string, caret: number, dataSet: DataSet): Completion | undefined {
  const [, name, inside = ''] =
    /(?:^|[\s(!])([a-z]\w{0,40})\(([^()\s"]{0,200})$/.exec(query.slice(Math.max(0, caret - 250), caret)) ?? [];
  if (name === undefined || !functionNames(dataSet).includes(name)) return undefined;
  const prefix = inside.slice(inside.lastIndexOf(',') + 1);
  let end = caret;
  while (end < query.length && !/[\s(),:]/.test(query[end] ?? '')) end += 1;
  return { replace: { start: caret - prefix.length, end }, kind: 'key', prefix };
}

function termAt(query: string, caret: number, dataSet: DataSet): Completion {
  let at = 0;
  while (at < caret) {
    if (separator.test(query[at] ?? '')) {
      at += 1;
      continue;
    }
    const head = filterAt(query, at);
    if (head && caret < head.end) return keyAt(query, at, head.end - 1, caret);
    if (head) {
      const end = valueEnd(query, head.end, caret);
      if (caret <= end) return valueAt(query, head, end, caret, dataSet);
      at = end;
      continue;
    }
    const end = query[at] === '"' ? quotedEnd(query, at) : -1;
    const next = end < 0 ? wordEnd(query, at) : end;
    if (caret <= next) return keyAt(query, at, next, caret);
    at = next;
  }
  return { replace: { start: caret, end: caret }, kind: 'key', prefix: '' };
}

function keyAt(query: string, from: number, end: number, caret: number): Completion {
  const start = query[from] === '!' ? from + 1 : from;
  return {
    replace: { start: Math.min(start, caret), end },
    kind: 'key',
    prefix: query.slice(start, caret).replace(/^"/, ''),
  };
}

/** A quote or list that is not closed reaches to where somebody is writing. */
function valueEnd(query: string, from: number, caret: number): number {
  const [operator = ''] = /^(?:!=|[<>]=?|=)/.exec(query.slice(from, from + 2)) ?? [];
  const start = from + operator.length;
  if (query[start] === '"') {
    const end = quotedEnd(query, start);
    return end < 0 ? Math.max(caret, wordEnd(query, start)) : end;
  }
  if (query[start] !== '[') return wordEnd(query, start);
  const elements = elementsOf(query, start);
  return elements.closed || caret > elements.end ? elements.end : Math.max(caret, elements.end);
}

/** Elements of a list as far as it is one. */
function elementsOf(query: string, start: number): { places: Place[]; end: number; closed: boolean } {
  const places: Place[] = [];
  let at = start + 1;
  while (at <= query.length) {
    while (query[at] === ' ') at += 1;
    const from = at;
    if (query[at] === '"') {
      const end = quotedEnd(query, at);
      if (end < 0) return { places: [...places, { start: from, end: query.length }], end: query.length, closed: false };
      at = end;
    } else while (at < query.length && !/[\s,\]()]/.test(query[at] ?? '')) at += 1;
    places.push({ start: from, end: at });
    let next = at;
    while (query[next] === ' ') next += 1;
    if (query[next] === ',' || query[next] === ']') at = next;
    if (query[at] === ']') return { places, end: at + 1, closed: true };
    if (query[at] !== ',') return { places, end: at, closed: false };
    at += 1;
  }
  return { places, end: query.length, closed: false };
}

function valueAt(query: string, head: FilterHead, end: number, caret: number, dataSet: DataSet): Completion {
  const [operator = ''] = /^(?:!=|[<>]=?|=)/.exec(query.slice(head.end, head.end + 2)) ?? [];
  const start = head.end + operator.length;
  const written = (place: Place): { replace: Place; prefix: string } => ({
    replace: place,
    prefix: unescapeQuotes(query.slice(place.start, caret).replace(/^"/, '')).replace(/"$/, ''),
  });
  if (head.name === 'has') return { kind: 'key', ...written({ start: head.end, end }) };
  if (head.call) return { kind: 'operator', ...written({ start: head.end, end }) };
  const key = findKey(head.name, dataSet);
  if ((isComparable(key.type) || key.ordered) && caret <= start) {
    return { kind: 'operator', key, replace: { start: head.end, end: start }, prefix: query.slice(head.end, caret) };
  }
  if (caret < start) return { kind: 'value', key, replace: { start: head.end, end }, prefix: '' };
  if (query[start] !== '[') return { kind: 'value', key, ...written({ start, end }) };
  const { places } = elementsOf(query, start);
  const place = places.findLast((one) => one.start <= caret) ?? { start: start + 1, end: start + 1 };
  return { kind: 'value', key, ...written({ start: Math.min(place.start, caret), end: Math.max(place.end, caret) }) };
}
