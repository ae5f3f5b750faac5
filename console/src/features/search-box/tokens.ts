/**
 * A query as the row of tokens that the search box shows: terms, AND, OR, parentheses. Every character that is no blank
 * belongs to one token, whatever is wrong with it, so that nothing that somebody wrote disappears. Pure.
 */
import { parseSearch, type DataSet, type Place, type SearchItem, type SearchProblem } from '@culprit/search';

export type TokenKind = 'filter' | 'text' | 'operator' | 'open' | 'close';

export interface Token extends Place {
  readonly kind: TokenKind;
  /** As it is written. */
  readonly text: string;
  /** Of a filter: how long the part before its value is, colon and `!` included. */
  readonly nameLength: number;
}

export interface TokenRow {
  readonly tokens: readonly Token[];
  readonly problems: readonly SearchProblem[];
}

export function tokensOf(query: string, dataSet: DataSet): TokenRow {
  const { items, problems } = parseSearch(query, dataSet);
  const read = flatten(items, query);
  return { tokens: withGaps(read, query), problems };
}

function flatten(items: readonly SearchItem[], query: string): Token[] {
  return items.flatMap((item) => {
    if (item.kind !== 'group') return [tokenOf(item, query)];
    const closed = query[item.end - 1] === ')';
    return [
      token('open', query, item.start, item.start + 1),
      ...flatten(item.items, query),
      ...(closed ? [token('close', query, item.end - 1, item.end)] : []),
    ];
  });
}

function tokenOf(item: Exclude<SearchItem, { kind: 'group' }>, query: string): Token {
  const { kind, start, end } = item;
  if (kind === 'operator' || kind === 'text') return token(kind, query, start, end);
  const nameLength = kind === 'filter' ? item.valuePlace.start - start : query.slice(start, end).indexOf(':') + 1;
  return { ...token('filter', query, start, end), nameLength };
}

const token = (kind: TokenKind, query: string, start: number, end: number): Token => ({
  kind,
  text: query.slice(start, end),
  nameLength: 0,
  start,
  end,
});

/** What was not understood stands in the row as well. */
function withGaps(read: readonly Token[], query: string): Token[] {
  const all: Token[] = [];
  let at = 0;
  const fill = (until: number): void => {
    // Split at blanks, so that a long piece of nonsense can be mended word by word.
    for (const { 0: word, index } of query.slice(at, until).matchAll(/[()]|[^\s()]+/g)) {
      const kind = word === '(' ? 'open' : word === ')' ? 'close' : 'text';
      const nameLength = /^!?[^\s:"]{1,200}:/.exec(word)?.[0].length ?? 0;
      all.push({ ...token(nameLength ? 'filter' : kind, query, at + index, at + index + word.length), nameLength });
    }
  };
  for (const each of read.toSorted((a, b) => a.start - b.start)) {
    if (each.start < at || each.end <= each.start) continue;
    fill(each.start);
    all.push(trimmed(each));
    at = each.end;
  }
  fill(query.length);
  return all;
}

/** Free text may come with the blanks around it. */
function trimmed(each: Token): Token {
  const start = each.start + (each.text.length - each.text.trimStart().length);
  const text = each.text.trim();
  return { ...each, text, start, end: start + text.length };
}

/** The query of some tokens, with one blank between them and none inside parentheses. */
export function queryOf(tokens: readonly Pick<Token, 'kind' | 'text'>[]): string {
  let query = '';
  for (const [index, { kind, text }] of tokens.entries()) {
    const tight = index === 0 || kind === 'close' || tokens[index - 1]?.kind === 'open';
    query += tight ? text : ` ${text}`;
  }
  return query;
}

/** The query without a token, and without the operators and parentheses that would have nothing to stand beside. */
export function withoutToken(tokens: readonly Token[], unwanted: Token): string {
  let left = tokens.filter((each) => each !== unwanted);
  for (;;) {
    const next = left.filter((each, index) => !isLoose(each, left[index - 1], left[index + 1]));
    if (next.length === left.length) return queryOf(left);
    left = next;
  }
}

function isLoose(each: Token, before: Token | undefined, after: Token | undefined): boolean {
  switch (each.kind) {
    case 'operator':
      return (
        before === undefined ||
        after === undefined ||
        before.kind === 'open' ||
        after.kind === 'close' ||
        before.kind === 'operator'
      );
    case 'open':
      return after?.kind === 'close';
    case 'close':
      return before === undefined || before.kind === 'open';
    default:
      return false;
  }
}

export interface Segment {
  readonly text: string;
  readonly part: 'name' | 'value';
  readonly wrong: boolean;
}

/** A token in pieces that are drawn alike: its name, its value, and what a problem marks of either. */
export function segmentsOf(each: Token, problems: readonly Place[]): Segment[] {
  const edges = new Set([0, each.nameLength, each.text.length]);
  const marks = problems.filter(({ start, end }) => start < each.end && Math.max(end, start + 1) > each.start);
  for (const { start, end } of marks) {
    edges.add(Math.max(0, start - each.start));
    edges.add(Math.min(each.text.length, Math.max(end, start + 1) - each.start));
  }
  const sorted = [...edges].toSorted((a, b) => a - b);
  return sorted.slice(0, -1).map((from, index) => {
    const place = each.start + from;
    return {
      text: each.text.slice(from, sorted[index + 1]),
      part: from < each.nameLength ? 'name' : 'value',
      wrong: marks.some(({ start, end }) => start <= place && place < Math.max(end, start + 1)),
    };
  });
}
