/**
 * What is being written: the text before the input, in the input and after it. Tokens left and right of the input are
 * drawn as chips; with nothing before and after, the input holds the whole query as plain text. Pure.
 */
import type { DataSet, Place, SearchProblem } from '@culprit/search';
import { type Token, tokensOf, withoutToken } from './tokens.ts';

export interface Draft {
  readonly before: string;
  readonly input: string;
  readonly after: string;
}

export interface DraftView {
  /** All of it as one query. */
  readonly query: string;
  /** Of the input in the query. */
  readonly inputPlace: Place;
  /** All tokens of the query, those in the input as well. */
  readonly tokens: readonly Token[];
  readonly left: readonly Token[];
  readonly right: readonly Token[];
  readonly problems: readonly SearchProblem[];
}

export const draftOf = (query: string): Draft => ({ before: query.trim(), input: '', after: '' });
export const plainDraft = (query: string): Draft => ({ before: '', input: query, after: '' });

const between = (a: string, b: string): string =>
  a === '' || b === '' || a.endsWith('(') || b.startsWith(')') || /\s$/.test(a) || /^\s/.test(b) ? '' : ' ';

const joined = (a: string, b: string): string => `${a}${between(a, b)}${b}`;

export function viewOf({ before, input, after }: Draft, dataSet: DataSet): DraftView {
  const begun = input.trim() === '' ? before : `${before}${between(before, input)}${input}`;
  const query = joined(begun, after);
  const start = input.trim() === '' ? before.length : begun.length - input.length;
  const end = input.trim() === '' ? before.length : begun.length;
  const { tokens, problems } = tokensOf(query, dataSet);
  return {
    query,
    inputPlace: { start, end },
    tokens,
    left: tokens.flatMap((each) => clipped(each, 0, start)),
    right: tokens.flatMap((each) => clipped(each, end, query.length)),
    problems,
  };
}

/** Words around the input are one text once they stand together; until then each has its part. */
function clipped(each: Token, from: number, until: number): Token[] {
  const start = Math.max(each.start, from);
  const end = Math.min(each.end, until);
  if (start >= end) return [];
  if (start === each.start && end === each.end) return [each];
  const raw = each.text.slice(start - each.start, end - each.start);
  const text = raw.trim();
  if (text === '') return [];
  const at = start + (raw.length - raw.trimStart().length);
  return [{ ...each, text, start: at, end: at + text.length, nameLength: 0, kind: 'text' }];
}

/** What is in the input becomes part of what stands before it. */
export const committed = ({ before, input, after }: Draft): Draft => ({
  before: joined(before, input.trim()),
  input: '',
  after,
});

/**
 * Typed text. A blank or a parenthesis after a finished term puts it into a chip; words are one text until something else
 * follows them.
 */
export function typed(draft: Draft, input: string, dataSet: DataSet): Draft {
  const next = { ...draft, input };
  if (!/[\s)]$/.test(input) || input.length < draft.input.length) return next;
  const { tokens, problems } = tokensOf(input.trimEnd(), dataSet);
  const last = tokens.at(-1);
  const isFinished =
    last !== undefined &&
    last.kind !== 'text' &&
    (last.kind !== 'filter' || last.nameLength < last.text.length) &&
    // A list goes on behind its commas.
    !/:\[[^\]]*$/.test(last.text) &&
    !problems.some(({ start, end }) => start < last.end && end > last.start);
  return isFinished ? committed(next) : next;
}

/** One token to the left; what was written stays where it is. */
export function movedLeft(draft: Draft, dataSet: DataSet): Draft {
  const { left, query, inputPlace } = viewOf(draft, dataSet);
  const at = draft.input.trim() === '' ? left.at(-1)?.start : inputPlace.start;
  return at === undefined ? draft : splitAt(query, at);
}

export function movedRight(draft: Draft, dataSet: DataSet): Draft {
  const { right, query, inputPlace } = viewOf(draft, dataSet);
  const at = draft.input.trim() === '' ? right[0]?.end : inputPlace.end;
  return at === undefined ? draft : splitAt(query, at);
}

/** To one end of the row. */
export function movedTo(draft: Draft, end: 'start' | 'end', dataSet: DataSet): Draft {
  const { query } = viewOf(draft, dataSet);
  return splitAt(query, end === 'start' ? 0 : query.length);
}

const splitAt = (query: string, at: number): Draft => ({
  before: query.slice(0, at).trimEnd(),
  input: '',
  after: query.slice(at).trimStart(),
});

/** A token is opened in the input; what was in the input takes its place in the row. */
export function opened(draft: Draft, { start, end }: Place, dataSet: DataSet): Draft {
  const { query } = viewOf(draft, dataSet);
  return {
    before: query.slice(0, start).trimEnd(),
    input: query.slice(start, end),
    after: query.slice(end).trimStart(),
  };
}

export function removed(draft: Draft, { start, end }: Place, dataSet: DataSet): Draft {
  const { tokens, query } = viewOf(draft, dataSet);
  const unwanted = tokens.find((each) => each.start === start && each.end === end);
  // A part of a text, which is whole again once it is gone.
  if (!unwanted) return draftOf(joined(query.slice(0, start).trimEnd(), query.slice(end).trimStart()));
  return draftOf(withoutToken(tokens, unwanted));
}

/** A place of the query, such as what a completion is for, is replaced; the input holds it with what it held beside. */
export function replaced(draft: Draft, { start, end }: Place, text: string, dataSet: DataSet): Draft {
  const { query, inputPlace } = viewOf(draft, dataSet);
  const from = Math.min(inputPlace.start, start);
  const until = Math.max(inputPlace.end, end);
  return {
    before: query.slice(0, from).trimEnd(),
    input: `${query.slice(from, start)}${text}${query.slice(end, until)}`,
    after: query.slice(until).trimStart(),
  };
}
