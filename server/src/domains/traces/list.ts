/**
 * Traces by their segments, the newest or the slowest first. A trace stands where the first of its segments stands that
 * fulfils the filter, and only there: pages go on from a place, so they stay as they are while traces arrive.
 */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { condition } from './measures.ts';
import { segmentsIn, type SegmentFilter } from './segments.ts';
import { summariesOf, type TraceSummary } from './summaries.ts';

export type TraceSort = 'newest' | 'slowest';

/** Between two rows of a list. */
export interface ListPlace {
  /** Start or duration, µs, as the list is sorted. */
  readonly value: number;
  readonly traceId: string;
  /** Whether the page before it is meant. */
  readonly isPrevious: boolean;
}

export interface TracesRequest extends SegmentFilter {
  readonly sort: TraceSort;
  readonly limit: number;
  /** Undefined for the first page. */
  readonly place?: ListPlace | undefined;
}

/** A segment of the trace that fulfils the filter: the newest or the slowest. */
export interface MatchedSegment {
  readonly projectId: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
  readonly durationUs: number;
  readonly op: string;
  readonly transaction: string;
  readonly service: string;
  readonly failed: boolean;
  readonly status: string;
}

export interface ListedTrace {
  readonly match: MatchedSegment;
  /** Undefined where its spans have been deleted since. */
  readonly summary: TraceSummary | undefined;
}

export interface TraceList {
  readonly rows: readonly ListedTrace[];
  readonly next: ListPlace | undefined;
  readonly previous: ListPlace | undefined;
}

const ranks: Readonly<Record<TraceSort, { readonly column: string; readonly bound: string; readonly us: string }>> = {
  newest: {
    column: 'started_at',
    bound: "fromUnixTimestamp64Micro({placeValue:Int64}, 'UTC')",
    us: 'toUnixTimestamp64Micro(started_at)',
  },
  slowest: { column: 'duration_us', bound: '{placeValue:UInt64}', us: 'duration_us' },
};

/** Segments are read in steps of growing size until a page is full: traces have several, and some have thousands. */
const stepFactors = [4, 40, 200] as const;

export async function listTraces(events: Events, request: TracesRequest): Promise<TraceList> {
  const { limit, place } = request;
  if (!request.projectIds.length) return { rows: [], next: undefined, previous: undefined };
  const isPrevious = place?.isPrevious === true;
  const found: MatchedSegment[] = [];
  const seen = new Set<string>();
  let at = place;
  let isEnd = false;
  for (const factor of stepFactors) {
    const size = (limit + 1) * factor;
    const segments = await readSegments(events, request, at, isPrevious, size);
    const first = await firstOfTheirTraces(events, request, segments);
    found.push(...first.filter(({ traceId }) => !seen.has(traceId) && seen.add(traceId)));
    isEnd = segments.length < size;
    const last = segments.at(-1);
    if (last) at = { value: valueOf(request.sort, last), traceId: last.traceId, isPrevious };
    if (isEnd || found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const isFull = found.length > limit;
  const ordered = isPrevious ? page.toReversed() : page;
  const placeAt = (match: MatchedSegment | undefined) =>
    match && { value: valueOf(request.sort, match), traceId: match.traceId };
  // Where segments of few traces filled every step, the page after this goes on where reading ended.
  const onward = isFull ? placeAt(page.at(-1)) : isEnd ? undefined : at;
  const back = isPrevious ? onward : place && placeAt(ordered[0]);
  const next = isPrevious ? placeAt(ordered.at(-1)) : onward;
  const summaries = await summariesOf(events, request.projectIds, ordered);
  return {
    rows: ordered.map((match) => ({ match, summary: summaries.get(match.traceId) })),
    next: next && { ...next, isPrevious: false },
    previous: back && { ...back, isPrevious: true },
  };
}

const valueOf = (sort: TraceSort, { startUs, durationUs }: MatchedSegment): number =>
  sort === 'newest' ? startUs : durationUs;

const columns = `project_id AS projectId, trace_id AS traceId, span_id AS spanId, toUnixTimestamp64Micro(started_at) AS startUs,
  duration_us AS durationUs, op, transaction, service, failed = 1 AS bad, status`;

async function readSegments(
  events: Events,
  request: TracesRequest,
  at: Omit<ListPlace, 'isPrevious'> | undefined,
  isPrevious: boolean,
  limit: number,
): Promise<MatchedSegment[]> {
  const { column, bound } = ranks[request.sort];
  const [beyond, order] = isPrevious ? ['>', 'ASC'] : ['<', 'DESC'];
  const from = at
    ? // The first comparison is what the sort key is held against.
      condition(
        `${column} ${beyond}= ${bound} AND (${column} ${beyond} ${bound} OR trace_id ${beyond} {placeTrace:String})`,
        {
          placeValue: at.value,
          placeTrace: at.traceId,
        },
      )
    : condition('1');
  const scope = where(...segmentsIn(request), from);
  // By start they are read in their order. For any other the column is read alone first: ids and names of all would be too much.
  const reach = `(SELECT ${isPrevious ? 'max' : 'min'}(edge) FROM (SELECT ${column} AS edge FROM segments WHERE ${scope.sql} ORDER BY edge ${order} LIMIT {limit:UInt32}))`;
  const within = request.sort === 'newest' ? '' : `AND ${column} ${isPrevious ? '<=' : '>='} ${reach}`;
  const rows = await events.query<Omit<MatchedSegment, 'failed'> & { readonly bad: number }>(
    `SELECT ${columns} FROM segments WHERE ${scope.sql} ${within} ORDER BY ${column} ${order}, trace_id ${order} LIMIT {limit:UInt32}`,
    { ...scope.params, limit },
  );
  return rows.map(({ bad, ...row }) => ({ ...row, failed: bad === 1 }));
}

/** Without those that another segment of their trace stands before: on an earlier page, or further up this one. */
async function firstOfTheirTraces(
  events: Events,
  request: TracesRequest,
  segments: readonly MatchedSegment[],
): Promise<readonly MatchedSegment[]> {
  // Nothing is before the first page, and its traces are taken by their first segment.
  if (!request.place || !segments.length) return segments;
  const traceIds = [...new Set(segments.map(({ traceId }) => traceId))];
  const scope = where(...segmentsIn(request), condition('trace_id IN {traceIds:Array(String)}', { traceIds }));
  const tops = await events.query<{ traceId: string; top: number }>(
    `SELECT trace_id AS traceId, max(${ranks[request.sort].us}) AS top FROM segments WHERE ${scope.sql} GROUP BY trace_id`,
    scope.params,
  );
  const topOf = new Map(tops.map(({ traceId, top }) => [traceId, top]));
  return segments.filter((segment) => valueOf(request.sort, segment) >= (topOf.get(segment.traceId) ?? 0));
}
