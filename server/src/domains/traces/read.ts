/**
 * One trace as it is stored. It is found by its id through a skip index in every week that is kept; a time near it leaves
 * one week or two. Attributes are most of what a span weighs and are read for one span at a time.
 */
import type { Events } from '../../ports/events/events.ts';
import { amongProjects, type SqlPart, where } from '../../base/sql.ts';
import type { TraceError, TraceSpan } from './types.ts';

/** Spans of a trace that are read; the rest is counted. */
export const maxTraceSpans = 20_000;
const maxTraceErrors = 1000;
/** How far from the time hint spans and errors are looked for: traces of pages that stay open are long. */
const hintMs = 2 * 86_400_000;

export interface TraceRequest {
  readonly projectIds: readonly number[];
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  /** ms since the epoch: some moment of the trace, where one is known. */
  readonly nearMs?: number | undefined;
  readonly limit?: number;
}

export interface TraceTotals {
  readonly spans: number;
  readonly startUs: number;
  readonly endUs: number;
  readonly failed: number;
  readonly services: number;
}

export interface Trace {
  /** Segments first, then by start, where there are more than were read. */
  readonly spans: readonly TraceSpan[];
  readonly errors: readonly TraceError[];
  /** Of the whole trace; undefined where all of it was read. */
  readonly beyond: TraceTotals | undefined;
}

/** What is read of each span. */
type SpanColumns = readonly [
  projectId: number,
  spanId: string,
  parentSpanId: string,
  segmentId: string,
  isSegment: number,
  startUs: number,
  durationUs: number,
  receivedMs: number,
  op: string,
  name: string,
  transaction: string,
  status: string,
  failed: number,
  kind: string,
  service: string,
  platform: string,
  sdkName: string,
  description: string,
  descriptionHash: string,
];

interface SpanRow {
  readonly span: SpanColumns;
}

/** Without their names, which are half of what the engine would write and the server read. */
const spanColumns = `(project_id, span_id, parent_span_id, segment_id, is_segment, toUnixTimestamp64Micro(started_at),
  duration_us, toUnixTimestamp64Milli(received_at), op, name, transaction, status, failed, kind, service, platform, sdk_name, description, description_hash) AS span`;

/**
 * The index leaves little more than the trace, which several threads would only share. The sort key says nothing of a
 * trace, and to find that out costs as much as the index does.
 */
const lookup = 'SETTINGS max_threads = 1, use_primary_key = 0';

const hostAlone = /^(?:[A-Z]+ )?[^\s/?]+$/;

/** The name; of requests and resources that SDK 11 names by their host alone, what they are grouped by: it has the path. */
function telling(op: string, name: string, description: string): string {
  const isCall = op === 'http.client' || op.startsWith('resource.');
  return isCall && description.includes('/') && hostAlone.test(name) ? description : name;
}

function toSpan({ span }: SpanRow): TraceSpan {
  const [
    projectId,
    spanId,
    parentSpanId,
    segmentId,
    isSegment,
    startUs,
    durationUs,
    receivedAt,
    op,
    name,
    transaction,
    status,
    failed,
    kind,
    service,
    platform,
    sdkName,
    description,
    descriptionHash,
  ] = span;
  return {
    projectId,
    spanId,
    parentSpanId,
    segmentId,
    isSegment: isSegment === 1,
    startUs,
    durationUs,
    receivedAt,
    op,
    name: telling(op, name, description),
    transaction,
    status,
    failed: failed === 1,
    kind,
    service,
    platform,
    sdkName,
    descriptionHash,
  };
}

export async function readTrace(events: Events, request: TraceRequest): Promise<Trace> {
  if (!request.projectIds.length) return { spans: [], errors: [], beyond: undefined };
  const limit = Math.min(request.limit ?? maxTraceSpans, maxTraceSpans);
  const scope = where(ofTrace(request), near(request, 'started_at'));
  const [rows, errors] = await Promise.all([
    events.query<SpanRow>(`SELECT ${spanColumns} FROM spans WHERE ${scope.sql} LIMIT {limit:UInt32} ${lookup}`, {
      ...scope.params,
      limit: limit + 1,
    }),
    readErrors(events, request),
  ]);
  if (rows.length <= limit) return { spans: rows.map(toSpan), errors, beyond: undefined };
  // Which of them matter is asked only where not all can be shown: the order would have to look at each.
  const [most, [totals]] = await Promise.all([
    events.query<SpanRow>(
      `SELECT ${spanColumns} FROM spans WHERE ${scope.sql} ORDER BY is_segment DESC, started_at LIMIT {limit:UInt32}`,
      { ...scope.params, limit },
    ),
    events.query<TraceTotals>(
      `SELECT count() AS spans, toUnixTimestamp64Micro(min(started_at)) AS startUs,
         max(toUnixTimestamp64Micro(started_at) + duration_us) AS endUs, countIf(failed = 1) AS failed, uniqExact(service) AS services
       FROM spans WHERE ${scope.sql}`,
      scope.params,
    ),
  ]);
  return { spans: most.map(toSpan), errors, beyond: totals };
}

const ofTrace = ({ projectIds, traceId }: TraceRequest): SqlPart => {
  const projects = amongProjects(projectIds);
  return {
    conditions: [...projects.conditions, 'trace_id = {trace:String}'],
    params: { ...projects.params, trace: traceId },
  };
};

function near({ nearMs }: TraceRequest, column: string): SqlPart {
  if (nearMs === undefined) return { conditions: [], params: {} };
  return {
    conditions: [
      `${column} >= fromUnixTimestamp64Milli({nearFrom:Int64}, 'UTC')`,
      `${column} <= fromUnixTimestamp64Milli({nearUntil:Int64}, 'UTC')`,
    ],
    params: { nearFrom: Math.max(0, nearMs - hintMs), nearUntil: nearMs + hintMs },
  };
}

interface ErrorColumns {
  readonly project_id: number;
  readonly event_id: string;
  readonly span_id: string;
  readonly at: number;
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly transaction: string;
  readonly service: string;
  readonly group_hash: string;
}

/** The newest of them, by time. Their service is that of their spans. */
export async function readErrors(events: Events, request: TraceRequest): Promise<TraceError[]> {
  const scope = where(ofTrace(request), near(request, 'timestamp'));
  const rows = await events.query<ErrorColumns>(
    `SELECT project_id, event_id, span_id, toUnixTimestamp64Milli(timestamp) AS at, title, culprit, level, transaction,
       multiIf(tags['service'] != '', tags['service'],
         tags['server_name'] = '' OR platform IN ('javascript', 'node') OR position(release, '@') < 2, tags['server_name'],
         substring(release, 1, position(release, '@') - 1)) AS service, group_hash
     FROM errors WHERE ${scope.sql} AND issue_type = '' ORDER BY timestamp DESC LIMIT 1 BY project_id, event_id LIMIT {limit:UInt32}`,
    { ...scope.params, limit: maxTraceErrors },
  );
  return rows.toReversed().map((row) => ({
    projectId: row.project_id,
    eventId: row.event_id,
    spanId: row.span_id,
    at: row.at,
    title: row.title,
    culprit: row.culprit,
    level: row.level,
    transaction: row.transaction,
    service: row.service,
    hash: row.group_hash,
  }));
}

export interface TraceCounts {
  readonly spans: number;
  readonly transactions: number;
  readonly projects: number;
  readonly errors: number;
  readonly spansByOp: Readonly<Record<string, number>>;
  /** Spans of each segment. */
  readonly spansBySegment: readonly { readonly segmentId: string; readonly count: number }[];
}

/** Counts without the spans themselves, which may be any number. */
export async function countTrace(events: Events, request: TraceRequest): Promise<TraceCounts> {
  const nothing = { spans: 0, transactions: 0, projects: 0, errors: 0, spansByOp: {}, spansBySegment: [] };
  if (!request.projectIds.length) return nothing;
  const scope = where(ofTrace(request), near(request, 'started_at'));
  const [[sums], ops, segments, errors] = await Promise.all([
    events.query<{ spans: number; transactions: number; projects: number }>(
      `SELECT count() AS spans, uniqExactIf(span_id, is_segment = 1) AS transactions, uniqExact(project_id) AS projects
       FROM spans WHERE ${scope.sql}`,
      scope.params,
    ),
    events.query<{ op: string; n: number }>(
      `SELECT op, count() AS n FROM spans WHERE ${scope.sql} GROUP BY op ORDER BY n DESC LIMIT 1000`,
      scope.params,
    ),
    events.query<{ segmentId: string; count: number }>(
      `SELECT segment_id AS segmentId, count() AS count FROM spans WHERE ${scope.sql} AND segment_id != ''
       GROUP BY segment_id ORDER BY count DESC LIMIT 1000`,
      scope.params,
    ),
    readErrors(events, request),
  ]);
  return {
    ...(sums ?? nothing),
    errors: errors.length,
    spansByOp: Object.fromEntries(ops.map(({ op, n }) => [op, n])),
    spansBySegment: segments,
  };
}

export interface SpanDetails extends TraceSpan {
  /** As processing knew it; -1 where it did not know the children. */
  readonly exclusiveUs: number;
  readonly origin: string;
  readonly environment: string;
  readonly release: string;
  readonly description: string;
  readonly transactionSource: string;
  readonly dist: string;
  readonly user: string;
  readonly sdkVersion: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  /** JSON texts, '' for none. */
  readonly links: string;
  readonly events: string;
  readonly remarks: string;
}

interface DetailColumns extends SpanRow {
  readonly name: string;
  readonly description: string;
  readonly exclusive_us: number;
  readonly origin: string;
  readonly environment: string;
  readonly release: string;
  readonly transaction_source: string;
  readonly dist: string;
  readonly user: string;
  readonly sdk_version: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly numbers: Readonly<Record<string, number>>;
  readonly links: string;
  readonly events: string;
  readonly remarks: string;
}

/** All that is stored of a span; of several with its id the one received last. */
export async function readSpan(
  events: Events,
  request: TraceRequest,
  spanId: string,
): Promise<SpanDetails | undefined> {
  if (!request.projectIds.length) return undefined;
  const scope = where(ofTrace(request), near(request, 'started_at'));
  const [row] = await events.query<DetailColumns>(
    `SELECT ${spanColumns}, name, description, exclusive_us, origin, environment, release, transaction_source, dist, user, sdk_version, attributes, numbers, links, events, remarks
     FROM spans WHERE ${scope.sql} AND span_id = {span:String} ORDER BY received_at DESC, duration_us DESC LIMIT 1 ${lookup}`,
    { ...scope.params, span: spanId },
  );
  if (!row) return undefined;
  const { origin, environment, release, description, dist, user, attributes, numbers, links, remarks } = row;
  return {
    ...toSpan(row),
    name: row.name,
    exclusiveUs: row.exclusive_us,
    origin,
    environment,
    release,
    description,
    transactionSource: row.transaction_source,
    dist,
    user,
    sdkVersion: row.sdk_version,
    attributes,
    numbers,
    links,
    events: row.events,
    remarks,
  };
}
