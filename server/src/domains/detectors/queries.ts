/** Spans of database queries: which are, and what their text tells. */
import { durationUs, type SegmentSpan } from './segment.ts';

export const isDatabase = ({ op }: Pick<SegmentSpan, 'op'>): boolean => op === 'db' || op.startsWith('db.');

/** Opening a connection is no query, whatever its op says. */
const connecting = /^(?:connect|(?:pg|pg-pool|mysql2?|tedious|mongodb)\.connect|prisma:engine:connection)$/;

export const isConnecting = ({ op, name }: Pick<SegmentSpan, 'op' | 'name'>): boolean =>
  op.startsWith('db.connection') || connecting.test(name);

export const isKeyValue = ({ op }: Pick<SegmentSpan, 'op'>): boolean => op.startsWith('db.redis');

/** As the sender wrote it; where the name is a summary, the text is an attribute. */
export const queryText = ({ attributes, name }: Pick<SegmentSpan, 'attributes' | 'name'>): string =>
  attributes['db.query.text'] || name;

/** Neither the sender nor we have cut it: what is missing may be what differs. */
export function isComplete(span: Pick<SegmentSpan, 'attributes' | 'name'>): boolean {
  const text = queryText(span);
  return text !== '' && !text.endsWith('...');
}

/** ORMs say in a comment what the query is for. */
const select = /^\s{0,100}(?:\/\*[^*]{0,1000}\*\/\s{0,100}|--[^\n]{0,1000}\n\s{0,100})?select\b/i;

export const isSelect = (span: Pick<SegmentSpan, 'op' | 'attributes' | 'name'>): boolean =>
  isDatabase(span) && select.test(queryText(span));

export const hasWhere = (text: string): boolean => /\bwhere\b/i.test(text);

const longestSubtitle = 1_000;

/** The query without its values, in one line. */
export function shownQuery(span: SegmentSpan): string {
  const text = span.description || queryText(span);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, longestSubtitle).toWellFormed();
}

export const longest = (spans: readonly SegmentSpan[]): number =>
  spans.reduce((most, span) => Math.max(most, durationUs(span)), 0);
