/** From an answer to the page that shows it, and between the two ways a time range is written. Pure. */
import { termText } from '@culprit/search';
import type { Filters } from '../filters/filters.ts';
import { splitTerms } from '../issues/query-terms.ts';
import type { FindAnswer, FindScope, Understood } from './queries.ts';

/** The part of an issue's address that Find decides: which event, and the filter under which its neighbours are walked. */
export interface IssuePlace {
  readonly issue: string;
  readonly event?: string | undefined;
  readonly q?: string | undefined;
}

export interface TracePlace {
  readonly trace: string;
  readonly span?: string | undefined;
  /** Seconds since the epoch, a moment of the trace. */
  readonly at: number;
}

/** The trace that is the answer; undefined where another is. */
export function tracePlaceOf(answer: FindAnswer): TracePlace | undefined {
  if (answer.kind !== 'trace') return undefined;
  const { id, start, span } = answer.trace;
  return { trace: id, span: span?.id, at: Math.floor(Date.parse(start) / 1000) };
}

/** The issue that answers the question alone; undefined where there is something to choose or to explain. */
export function placeOf(answer: FindAnswer, scope: FindScope = {}): IssuePlace | undefined {
  if (answer.kind === 'issue') return { issue: answer.issue.shortId };
  if (answer.kind !== 'cause' || answer.causes.length !== 1 || answer.more > 0) return undefined;
  const [cause] = answer.causes;
  if (!cause) return undefined;
  // Who asks for a trace wants the trace as well.
  if ((answer.matchedBy === 'trace' || answer.matchedBy === 'span') && cause.trace) return undefined;
  // Of one event by its id nothing is to be walked.
  const q =
    answer.matchedBy === 'event' || answer.matchedBy === 'stack'
      ? undefined
      : filterOf(answer.matchedBy, answer.value, scope);
  return { issue: cause.issue.shortId, event: cause.event.id, q };
}

export function filterOf(key: 'digest' | 'trace' | 'span', value: string, scope: FindScope = {}): string {
  return [termText(key, value), ...timeTerms(scope)].join(' ');
}

/** A time range as terms of a search: `timestamp:-24h`, or two instants. */
function timeTerms({ range, start, end }: FindScope): string[] {
  if (start && end) return [`timestamp:>=${start}`, `timestamp:<${end}`];
  return range ? [`timestamp:-${range}`] : [];
}

/** The digest that a filter of events names, and within which time. Undefined without one. */
export function digestOfFilter(query: string): { readonly digest: string; readonly scope: FindScope } | undefined {
  const values = (start: string): string | undefined =>
    splitTerms(query)
      .find((each) => each.startsWith(start))
      ?.slice(start.length);
  const digest = values('digest:');
  if (!digest || !/^\d{1,20}$/.test(digest)) return undefined;
  const start = values('timestamp:>=');
  const end = values('timestamp:<');
  const range = values('timestamp:-');
  if (start && end && !end.startsWith('=')) return { digest, scope: { start, end } };
  return { digest, scope: range && /^\d{1,6}[mhdw]$/.test(range) ? { range } : {} };
}

/** The filter with another time range. */
export function narrowed(query: string, scope: FindScope): string {
  return [...splitTerms(query).filter((each) => !each.startsWith('timestamp:')), ...timeTerms(scope)].join(' ');
}

/** One hour before and after an instant. */
export function around(instant: Date): FindScope {
  const hourMs = 3_600_000;
  return {
    start: new Date(instant.getTime() - hourMs).toISOString(),
    end: new Date(instant.getTime() + hourMs).toISOString(),
  };
}

/** The text without one of the parts that were understood. */
export function without(text: string, { start, end }: Pick<Understood, 'start' | 'end'>): string {
  return `${text.slice(0, start)} ${text.slice(end)}`.replaceAll(/[ \t]+/g, ' ').trim();
}

/** Asking anew looks everywhere: a filter left over from a list would hide the answer. */
export function freshSearch(q: string): { q: string } & Record<keyof Filters, undefined> {
  return { q, project: undefined, environment: undefined, range: undefined, start: undefined, end: undefined };
}
