/** Transactions that are looked at one by one: the newest of a range, and of those what a histogram or a tag picks. */
import type { Events } from '../../ports/events/events.ts';
import { type SqlPart, where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { condition, inScope, sourceOf, type TransactionScope } from './measures.ts';
import type { TransactionKey } from './transactions.ts';

export interface TransactionRequest extends TransactionScope, TransactionKey {
  readonly range: TimeRange;
}

export interface TagFilter {
  readonly key: string;
  readonly value: string;
}

/** Which of the transactions are meant. */
export interface Picked {
  /** Durations from here on, µs. */
  readonly fromUs?: number | undefined;
  /** And below this. */
  readonly untilUs?: number | undefined;
  /** All of them. */
  readonly tags: readonly TagFilter[];
}

/** Of more the newest hours are taken. */
const examinedTransactions = 50_000;
const hourMs = 3_600_000;

export const ofKey = ({ transaction, op }: TransactionKey): SqlPart =>
  condition('transaction = {transaction:String} AND op = {op:String}', { transaction, op });

export interface Examined {
  readonly fromMs: number;
  readonly untilMs: number | undefined;
  /** False where the range has more than was looked at. */
  readonly whole: boolean;
}

/** The newest hours of the range that together have about as many transactions as are looked at. */
export async function examinedHours(events: Events, request: TransactionRequest): Promise<Examined> {
  const { range } = request;
  const source = sourceOf('hour');
  const untilMs = range.open ? undefined : range.endMs;
  const during = source.during('range', Math.floor(range.startMs / hourMs) * hourMs, untilMs);
  const scope = where(...inScope(request), ofKey(request), during);
  const hours = await events.query<{ at: number; n: number }>(
    `SELECT ${source.millis} AS at, sum(count) AS n FROM ${source.table} WHERE ${scope.sql} GROUP BY at ORDER BY at DESC`,
    scope.params,
  );
  return newestHours(hours, range, examinedTransactions);
}

/** Of hours with how many each has, newest first: those that have `enough` together. */
export function newestHours(
  hours: readonly { readonly at: number; readonly n: number }[],
  { startMs, endMs, open }: TimeRange,
  enough: number,
): Examined {
  const untilMs = open ? undefined : endMs;
  let seen = 0;
  for (const { at, n } of hours) {
    seen += n;
    if (seen >= enough) return { fromMs: Math.max(at, startMs), untilMs, whole: at === hours.at(-1)?.at };
  }
  return { fromMs: startMs, untilMs, whole: true };
}

/** All spans of those hours. The hour comes first: it is part of the sort key, so that only those hours are read. */
export function examinedSpans(
  request: TransactionScope & { readonly transaction: string },
  { fromMs, untilMs }: Examined,
): SqlPart[] {
  return [
    ...inScope(request),
    condition('transaction = {transaction:String}', { transaction: request.transaction }),
    condition("toStartOfHour(started_at) >= toDateTime({examinedHour:UInt32}, 'UTC')", {
      examinedHour: Math.floor(Math.max(0, fromMs) / hourMs) * 3600,
    }),
    sourceOf('ms').during('examined', fromMs, untilMs),
  ];
}

/** Text of a number that is a tag; '' where it is missing. */
const statusCode = `if(numbers['http.response.status_code'] > 0, toString(numbers['http.response.status_code']), '')`;

/** Tags that are no attributes. */
export const tagColumns: Readonly<Record<string, string>> = {
  release: 'release',
  environment: 'environment',
  service: 'service',
  'http.response.status_code': statusCode,
};

function tagged(tags: readonly TagFilter[]): SqlPart[] {
  return tags.map(({ key, value }, index) => {
    const column = Object.hasOwn(tagColumns, key) ? tagColumns[key] : undefined;
    return condition(`${column ?? `attributes[{tagKey${index}:String}]`} = {tagValue${index}:String}`, {
      ...(column === undefined && { [`tagKey${index}`]: key }),
      [`tagValue${index}`]: value,
    });
  });
}

const lasting = ({ fromUs, untilUs }: Picked): SqlPart[] => [
  ...(fromUs === undefined ? [] : [condition('duration_us >= {fromUs:UInt64}', { fromUs })]),
  ...(untilUs === undefined ? [] : [condition('duration_us < {untilUs:UInt64}', { untilUs })]),
];

/** The transactions themselves. */
export const segmentsOf = (request: TransactionRequest, examined: Examined, picked: Picked): SqlPart[] => [
  ...examinedSpans(request, examined),
  condition('is_segment = 1 AND op = {op:String}', { op: request.op }),
  ...lasting(picked),
  ...tagged(picked.tags),
];

/** What they did. */
export function childrenOf(request: TransactionRequest, examined: Examined, picked: Picked): SqlPart[] {
  const children = [...examinedSpans(request, examined), condition('is_segment = 0')];
  if (picked.fromUs === undefined && picked.untilUs === undefined && !picked.tags.length) return children;
  const segments = where(...segmentsOf(request, examined, picked));
  return [
    ...children,
    condition(`(trace_id, segment_id) IN (SELECT trace_id, span_id FROM spans WHERE ${segments.sql})`, segments.params),
  ];
}
