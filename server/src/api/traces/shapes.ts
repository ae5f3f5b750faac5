/** Traces as the API shows them. */
import type { z } from 'zod';
import type { IssueRow } from '../../domains/issues/index.ts';
import { hashKey } from '../../domains/issues/index.ts';
import type { LogsOfTrace } from '../../domains/logs/index.ts';
import type { TraceProblem } from '../../domains/detectors/index.ts';
import type { Project } from '../../domains/projects/index.ts';
import {
  buildTree,
  placeIn,
  type SpanDetails,
  type Trace,
  type TraceError,
  type TraceSpan,
} from '../../domains/traces/index.ts';
import { type getTrace, type getTraceSpan, type getWaterfall, maxNesting } from './contract.ts';
import { shortIdOf } from '../issues/shapes.ts';
import { integer, iso, list, object, objects, text } from '../shared/read.ts';
import { placeLogs } from './logs-shapes.ts';
import { placeProblems } from './problems-shapes.ts';

export interface TracePlace {
  readonly traceId: string;
  readonly projects: ReadonlyMap<number, Project>;
  /** By `hashKey`. */
  readonly issues: ReadonlyMap<string, IssueRow>;
  /** Performance problems that were found in it. */
  readonly problems: readonly TraceProblem[];
}

type Nested = z.output<typeof getTrace.response>;
type NestedSpan = Extract<Nested[number], { event_type: 'span' }>;
type NestedError = Extract<Nested[number], { event_type: 'error' }>;
type Waterfall = z.output<typeof getWaterfall.response>;

const slugOf = ({ projects }: TracePlace, id: number): string => projects.get(id)?.slug ?? '';
const issueOf = ({ issues }: TracePlace, error: Pick<TraceError, 'projectId' | 'hash'>): IssueRow | undefined =>
  issues.get(hashKey(error.projectId, error.hash));

function shortIdOfError(place: TracePlace, error: Pick<TraceError, 'projectId' | 'hash'>): string | null {
  const issue = issueOf(place, error);
  const project = place.projects.get(error.projectId);
  return issue && project ? shortIdOf(issue, project) : null;
}

function toNestedError(error: TraceError, place: TracePlace): NestedError {
  return {
    event_id: error.eventId,
    event_type: 'error',
    issue_id: issueOf(place, error)?.id ?? 0,
    issue: shortIdOfError(place, error),
    level: error.level,
    title: error.title,
    message: error.title,
    culprit: error.culprit,
    description: error.title,
    transaction: error.transaction,
    project_id: error.projectId,
    project_slug: slugOf(place, error.projectId),
    start_timestamp: error.at / 1000,
    end_timestamp: error.at / 1000,
  };
}

function toNestedOccurrence(problem: TraceProblem, place: TracePlace): NestedSpan['occurrences'][number] {
  return {
    event_id: problem.eventId,
    event_type: 'occurrence',
    issue_id: issueOf(place, problem)?.id ?? 0,
    issue: shortIdOfError(place, problem),
    issue_type: problem.type,
    level: problem.level,
    title: problem.title,
    description: problem.subtitle,
    message: problem.subtitle,
    culprit: problem.transaction,
    transaction: problem.transaction,
    project_id: problem.projectId,
    project_slug: slugOf(place, problem.projectId),
    start_timestamp: problem.at / 1000,
  };
}

function toNestedSpan(span: TraceSpan, startUs: number, place: TracePlace): NestedSpan {
  return {
    event_id: span.spanId,
    event_type: 'span',
    transaction_id: span.segmentId || span.spanId,
    project_id: span.projectId,
    project_slug: slugOf(place, span.projectId),
    parent_span_id: span.parentSpanId || null,
    profile_id: '',
    profiler_id: '',
    start_timestamp: startUs / 1e6,
    end_timestamp: (startUs + span.durationUs) / 1e6,
    duration: span.durationUs / 1000,
    measurements: {},
    transaction: span.transaction,
    is_transaction: span.isSegment,
    description: span.name,
    name: span.name,
    op: span.op,
    sdk_name: span.sdkName,
    span_status: span.status,
    status: span.status,
    errors: [],
    occurrences: [],
    additional_attributes: {},
    children: [],
  };
}

export function toNestedTrace(trace: Trace, place: TracePlace): Nested {
  const { rows } = buildTree(trace.spans);
  const errors = placeIn(rows, trace.errors);
  const first = place.problems.map((problem) => ({ ...problem, spanId: problem.offenderSpanIds[0] ?? '' }));
  const problems = placeIn(rows, first);
  const roots: Nested = [];
  /** The spans from the root to the row before, one a level. */
  const path: NestedSpan[] = [];
  for (const [index, row] of rows.entries()) {
    const span = toNestedSpan(row.span, row.startUs, place);
    span.errors.push(...(errors.get(index) ?? []).map((error) => toNestedError(error, place)));
    span.occurrences.push(...(problems.get(index) ?? []).map((problem) => toNestedOccurrence(problem, place)));
    const depth = Math.min(row.depth, maxNesting);
    (depth === 0 ? roots : (path[depth - 1]?.children ?? roots)).push(span);
    path[depth] = span;
  }
  roots.push(...(errors.get(-1) ?? []).map((error) => toNestedError(error, place)));
  return roots;
}

const noLogs: LogsOfTrace = { logs: [], left: 0 };

export function toWaterfall(trace: Trace, place: TracePlace, entries = noLogs): Waterfall {
  const tree = buildTree(trace.spans);
  const { rows, endUs } = tree;
  const startUs = rows.length ? tree.startUs : firstMoment(trace, entries);
  const { logs, counts } = placeLogs(rows, startUs, entries);
  const placed = placeIn(rows, trace.errors);
  const indexOf = new Map(trace.errors.map((error, index) => [error, index]));
  const rowOf = new Map<TraceError, number>();
  for (const [row, errors] of placed) for (const error of errors) rowOf.set(error, row);
  const offset = (us: number): number => Math.round(us - startUs);
  const services = new Map<string, Waterfall['services'][number]>();
  for (const { span } of rows) {
    const { projectId, service, platform } = span;
    const key = `${projectId}:${service}`;
    const known = services.get(key);
    if (known) known.spans += 1;
    else services.set(key, { name: service, projectId: String(projectId), platform, spans: 1 });
  }
  const shapes = new Map<string, number>();
  const shapeOf = ({ projectId, service, op, descriptionHash }: TraceSpan): number => {
    const key = `${projectId} ${descriptionHash} ${service.length} ${service}${op}`;
    const known = shapes.get(key) ?? shapes.size;
    shapes.set(key, known);
    return known;
  };
  const problems = placeProblems(rows, place);
  const received = trace.spans.reduce((last, span) => Math.max(last, span.receivedAt), 0);
  const spans = trace.beyond?.spans ?? trace.spans.length;
  const stretch = ({ row, startUs: from, durationUs }: { row: number; startUs: number; durationUs: number }) => ({
    row,
    offsetUs: offset(from),
    durationUs: Math.round(durationUs),
  });
  return {
    traceId: place.traceId,
    startUs,
    durationUs: Math.max(0, Math.round(endUs - startUs)),
    spans,
    left: spans - trace.spans.length,
    duplicates: tree.duplicates,
    lastReceived: received ? iso(received) : null,
    services: [...services.values()],
    projects: [...new Set([...trace.spans, ...trace.errors].map(({ projectId }) => projectId))].map((id) => ({
      id: String(id),
      slug: slugOf(place, id),
    })),
    rows: rows.map((row, index) => {
      const { span } = row;
      const errors = placed.get(index);
      return {
        id: span.spanId,
        projectId: String(span.projectId),
        parentId: span.parentSpanId || null,
        parent: row.parent,
        depth: row.depth,
        below: row.below,
        offsetUs: offset(row.startUs),
        durationUs: span.durationUs,
        selfUs: Math.round(row.selfUs),
        op: span.op,
        name: span.name,
        service: span.service,
        shape: shapeOf(span),
        status: span.status,
        kind: span.kind,
        ...(span.isSegment && { segment: true as const, transaction: span.transaction }),
        ...(span.failed && { failed: true as const }),
        ...(row.shiftUs !== 0 && { shiftUs: Math.round(row.shiftUs) }),
        ...(row.orphan && { orphan: true as const }),
        ...(row.cycle && { cycle: true as const }),
        ...(row.late && { late: true as const }),
        ...(row.critical && { critical: true as const }),
        ...(row.duplicates > 0 && { duplicates: row.duplicates }),
        ...(errors && { errors: errors.map((error) => indexOf.get(error) ?? -1) }),
        ...(problems.byRow.has(index) && { problems: problems.byRow.get(index) }),
        ...(counts.has(index) && { logs: counts.get(index) }),
      };
    }),
    errors: trace.errors.map((error) => {
      const issue = issueOf(place, error);
      const row = rowOf.get(error) ?? -1;
      return {
        eventId: error.eventId,
        issueId: issue ? String(issue.id) : null,
        shortId: shortIdOfError(place, error),
        projectId: String(error.projectId),
        row,
        offsetUs: offset(error.at * 1000 + (rows[row]?.shiftUs ?? 0)),
        title: error.title,
        culprit: error.culprit,
        level: error.level,
      };
    }),
    problems: problems.shown,
    logs,
    logsLeft: entries.left,
    gaps: tree.gaps.map(stretch),
    criticalPath: tree.criticalPath.map(stretch),
  };
}

/** Without spans the first error or log is the start. */
function firstMoment({ errors }: Trace, { logs }: LogsOfTrace): number {
  const [error] = errors;
  const [log] = logs;
  const first = Math.min(error ? error.at * 1000 : Infinity, log?.atUs ?? Infinity);
  return Number.isFinite(first) ? first : 0;
}

function parse(json: string): unknown {
  if (!json) return [];
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return [];
  }
}

export function toTraceSpan(span: SpanDetails, traceId: string): z.output<typeof getTraceSpan.response> {
  return {
    id: span.spanId,
    traceId,
    parentId: span.parentSpanId || null,
    segmentId: span.segmentId || null,
    segment: span.isSegment,
    projectId: String(span.projectId),
    startUs: span.startUs,
    durationUs: span.durationUs,
    exclusiveUs: span.exclusiveUs < 0 ? null : span.exclusiveUs,
    dateReceived: iso(span.receivedAt),
    op: span.op,
    name: span.name,
    description: span.description,
    transaction: span.transaction,
    transactionSource: span.transactionSource,
    status: span.status,
    failed: span.failed,
    kind: span.kind,
    origin: span.origin,
    service: span.service,
    platform: span.platform,
    environment: span.environment,
    release: span.release,
    dist: span.dist,
    user: span.user,
    sdk: { name: span.sdkName, version: span.sdkVersion },
    attributes: { ...span.attributes },
    numbers: { ...span.numbers },
    links: objects(parse(span.links)).map((link) => ({
      traceId: text(link['trace_id']) ?? '',
      spanId: text(link['span_id']) ?? '',
      attributes: object(link['attributes']) ?? {},
    })),
    events: objects(parse(span.events)).map((event) => ({
      name: text(event['name']) ?? '',
      atUs: integer(event['at_us']) ?? 0,
      attributes: object(event['attributes']) ?? {},
    })),
    remarks: [...list(parse(span.remarks))],
  };
}
