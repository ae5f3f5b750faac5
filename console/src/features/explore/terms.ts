/** Clicked values become terms of the query. Pure. */
import { parseSearch, termText } from '@culprit/search';
import type { DataSet } from './data-sets.ts';
import { dataSets } from './data-sets.ts';

/** The term that finds a value of a column; absent values are those that have none. A list is found by all that is in it. */
export function valueTerm(field: string, value: unknown, negated = false): string {
  if (Array.isArray(value) && value.length > 0) {
    const terms = [...new Set(value.map((one: unknown) => valueTerm(field, one, negated)))];
    return negated && terms.length > 1 ? `(${terms.join(' OR ')})` : terms.join(' ');
  }
  const isAbsent = value === null || value === undefined || value === '' || Array.isArray(value);
  if (isAbsent) return `${negated ? '' : '!'}${termText('has', field)}`;
  return `${negated ? '!' : ''}${termText(field, String(value))}`;
}

/** The same query with a further condition. What says the same is said once, and its contrary goes. */
export function withTerm(query: string, term: string, dataSet: DataSet): string {
  const { items, problems } = parseSearch(query, dataSets[dataSet].keys);
  const trimmed = query.trim();
  if (!trimmed) return term;
  // What cannot be read is not taken apart: the page says what is wrong with it.
  if (problems.length) return `${trimmed} ${term}`;
  if (items.some((item) => item.kind === 'operator' && item.operator === 'or')) return `(${trimmed}) ${term}`;
  const contrary = term.startsWith('!') ? term.slice(1) : `!${term}`;
  const hasOperators = items.some((item) => item.kind === 'operator');
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of items) {
    const written = query.slice(start, end).trim();
    if (written === term) return trimmed;
    if (written !== contrary || hasOperators) continue;
    pieces.push(query.slice(from, start).trim());
    from = end;
  }
  return [...pieces, query.slice(from).trim(), term].filter(Boolean).join(' ');
}

/** All values of a row at once. */
export function withRow(
  query: string,
  cells: readonly { readonly field: string; readonly value: unknown }[],
  dataSet: DataSet,
): string {
  return cells.reduce((before, { field, value }) => withTerm(before, valueTerm(field, value), dataSet), query);
}

/** Parts of a query that can be taken away one by one, each with what is left. A query with OR goes as a whole. */
export function removable(query: string, dataSet: DataSet): { readonly text: string; readonly without: string }[] {
  const trimmed = query.trim();
  if (!trimmed) return [];
  const { items, problems } = parseSearch(query, dataSets[dataSet].keys);
  if (problems.length || items.length < 2 || items.some(({ kind }) => kind === 'operator'))
    return [{ text: trimmed, without: '' }];
  return items.slice(0, maxRemovable).map(({ start, end }) => ({
    text: query.slice(start, end).trim(),
    without: [query.slice(0, start).trim(), query.slice(end).trim()].filter(Boolean).join(' '),
  }));
}

/** Each is counted. */
const maxRemovable = 6;
