/** Search within a trace: words that all must be in a row, some of them in a named field. Linear in text and rows. */
import type { WaterfallRow } from './queries.ts';

const fields = ['name', 'op', 'service', 'status', 'kind', 'transaction', 'id'] as const;
type Field = (typeof fields)[number];

interface Term {
  /** Undefined: any field. */
  readonly field: Field | undefined;
  readonly text: string;
}

const longest = 200;

/** `select op:db status:internal_error`; quotes keep words together. */
export function parseTerms(query: string): readonly Term[] {
  const terms: Term[] = [];
  for (const [, key, quoted, plain] of query.slice(0, longest).matchAll(/(?:(\w+):)?(?:"([^"]*)"?|(\S+))/g)) {
    const text = (quoted ?? plain ?? '').toLowerCase();
    if (text === '') continue;
    const field = fields.find((each) => each === key);
    terms.push(
      field || key === undefined ? { field, text } : { field: undefined, text: `${key}:${text}`.toLowerCase() },
    );
  }
  return terms;
}

/** Rows that match, in order; none for an empty query. */
export function findRows(rows: readonly WaterfallRow[], query: string): readonly number[] {
  const terms = parseTerms(query);
  if (!terms.length) return [];
  const found: number[] = [];
  rows.forEach((row, index) => {
    if (terms.every((term) => matches(row, term))) found.push(index);
  });
  return found;
}

function matches(row: WaterfallRow, { field, text }: Term): boolean {
  if (field) return (row[field] ?? '').toLowerCase().includes(text);
  return fields.some((each) => (row[each] ?? '').toLowerCase().includes(text));
}

/** The next of these rows after `from`, or before it; from the other end where there is none. `places` rise. */
export function nextOf(places: readonly number[], from: number, backwards = false): number | undefined {
  if (backwards) return places.findLast((place) => place < from) ?? places.at(-1);
  return places.find((place) => place > from) ?? places[0];
}
