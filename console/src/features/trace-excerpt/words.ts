/** What an excerpt of a trace says, and where its bars lie. Pure. */
import * as m from '../../messages/trace-excerpt.ts';
import { duration } from '../../ui/durations.ts';
import type { ExcerptRow, TraceExcerpt } from './queries.ts';

/** `12 spans in 3 services, 340 ms`; services are counted where there are several. */
export function traceTotals({
  spans,
  services,
  durationUs,
}: {
  readonly spans: number;
  readonly services: number;
  readonly durationUs: number;
}): string {
  const totals = { spans, duration: duration(durationUs) };
  return services > 1 ? m.totalsOfServices({ ...totals, services }) : m.totals(totals);
}

/** `120 ms before`, `2.3 s after`; `at the same time` within a millisecond. */
export function relativeTo(offsetUs: number, eventUs: number): string {
  const apart = offsetUs - eventUs;
  if (Math.abs(apart) < 1000) return m.sameTime;
  const time = duration(Math.abs(apart));
  return apart < 0 ? m.before({ time }) : m.after({ time });
}

export interface Bar {
  /** Shares of the width, 0 to 1. */
  readonly left: number;
  readonly width: number;
}

/** Places of the rows' bars; the time from the first start to the last end of them is the whole width. */
export function barsOf(rows: readonly Pick<ExcerptRow, 'offsetUs' | 'durationUs'>[]): Bar[] {
  const from = Math.min(...rows.map(({ offsetUs }) => offsetUs));
  const total = Math.max(1, ...rows.map(({ offsetUs, durationUs }) => offsetUs + durationUs - from));
  return rows.map(({ offsetUs, durationUs }) => ({ left: (offsetUs - from) / total, width: durationUs / total }));
}

/** Where in its row's bar the event happened, as a share of the width; what is reported after the span ended stands at its end. */
export function momentIn(
  { offsetUs, durationUs }: Pick<ExcerptRow, 'offsetUs' | 'durationUs'>,
  { left, width }: Bar = { left: 0, width: 0 },
  momentUs: number,
): number {
  const share = durationUs > 0 ? (momentUs - offsetUs) / durationUs : 0;
  return left + width * Math.min(1, Math.max(0, share));
}

/** Something that the trace holds near the event. */
export type Nearby =
  | { readonly kind: 'issue'; readonly offsetUs: number; readonly issue: TraceExcerpt['issues'][number] }
  | { readonly kind: 'log'; readonly offsetUs: number; readonly log: TraceExcerpt['logs'][number] }
  | { readonly kind: 'event'; readonly offsetUs: number };

/** Issues and logs in one order of time with the event among them; empty where there is nothing beside it. */
export function nearbyOf({ issues, logs, offsetUs }: Pick<TraceExcerpt, 'issues' | 'logs' | 'offsetUs'>): Nearby[] {
  const others: Nearby[] = [
    ...issues.map((issue) => ({ kind: 'issue' as const, offsetUs: issue.offsetUs, issue })),
    ...logs.map((log) => ({ kind: 'log' as const, offsetUs: log.offsetUs, log })),
  ];
  if (others.length === 0) return [];
  const all: Nearby[] = offsetUs === null ? others : [...others, { kind: 'event', offsetUs }];
  return all.toSorted((a, b) => a.offsetUs - b.offsetUs);
}

const maxValues = 12;
const longestValue = 40;

/**
 * Where texts differ that are otherwise the same: the ids of queries that were sent one by one. Empty where they do not
 * differ, or in so much that it tells nothing.
 */
export function differingValues(texts: readonly string[]): string[] {
  const different = [...new Set(texts)];
  const [first = '', ...others] = different;
  if (others.length === 0) return [];
  let start = 0;
  while (start < first.length && others.every((text) => text[start] === first[start])) start += 1;
  // A value that begins alike is shown from its beginning: 17 and 18, not 7 and 8.
  while (start > 0 && isPartOfValue(first[start - 1])) start -= 1;
  const room = Math.min(...different.map((text) => text.length)) - start;
  let end = 0;
  while (end < room && others.every((text) => text.at(-1 - end) === first.at(-1 - end))) end += 1;
  while (end > 0 && isPartOfValue(first.at(-end))) end -= 1;
  const values = different.map((text) => text.slice(start, text.length - end));
  if (values.some((value) => value.length > longestValue || value === '')) return [];
  return values.slice(0, maxValues);
}

const isPartOfValue = (char: string | undefined): boolean => char !== undefined && /[\p{L}\p{N}_-]/u.test(char);
