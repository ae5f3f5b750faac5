/** What the traces of a page have altogether, in one look at their spans and one at their errors. */
import type { Events } from '../events/events.ts';
import { amongProjects, where } from '../issues/index.ts';
import { condition } from './measures.ts';

export interface TraceSummary {
  /** The root; the earliest segment where no root has arrived. */
  readonly root: TraceRoot;
  readonly startUs: number;
  readonly endUs: number;
  readonly spans: number;
  /** At most 20, by project; a name is '' where the sender gives none. */
  readonly senders: readonly Sender[];
  readonly segments: number;
  readonly failedSegments: number;
  readonly errors: number;
}

export interface Sender {
  readonly projectId: number;
  readonly service: string;
}

export interface TraceRoot {
  readonly projectId: number;
  readonly spanId: string;
  readonly startUs: number;
  readonly durationUs: number;
  readonly op: string;
  readonly transaction: string;
  readonly service: string;
  readonly failed: boolean;
  readonly status: string;
  /** False where it names a parent that has not arrived. */
  readonly isRoot: boolean;
}

interface SpanSums {
  readonly traceId: string;
  readonly first: readonly [string, string, number, number, string, string, string, number, string, number];
  readonly startUs: number;
  readonly endUs: number;
  readonly spans: number;
  readonly senders: readonly (readonly [string, string])[];
  readonly segments: number;
  readonly failedSegments: number;
}

/** Spans and errors are looked for this far from the segments that are known: traces of pages that stay open are long. */
const aroundMs = 2 * 86_400_000;
const mostSenders = 20;

export async function summariesOf(
  events: Events,
  projectIds: readonly number[],
  known: readonly { readonly traceId: string; readonly startUs: number }[],
): Promise<ReadonlyMap<string, TraceSummary>> {
  if (!known.length) return new Map();
  const starts = known.map(({ startUs }) => Math.floor(startUs / 1000));
  const during = (column: string) =>
    condition(
      `${column} >= fromUnixTimestamp64Milli({aroundFrom:Int64}, 'UTC') AND ${column} <= fromUnixTimestamp64Milli({aroundUntil:Int64}, 'UTC')`,
      { aroundFrom: Math.max(0, Math.min(...starts) - aroundMs), aroundUntil: Math.max(...starts) + aroundMs },
    );
  const traces = condition('trace_id IN {traceIds:Array(String)}', { traceIds: known.map(({ traceId }) => traceId) });
  const ofSpans = where(amongProjects(projectIds), traces, during('started_at'));
  const ofErrors = where(amongProjects(projectIds), traces, during('timestamp'), condition("issue_type = ''"));
  const [sums, errors] = await Promise.all([
    events.query<SpanSums>(
      `SELECT trace_id AS traceId,
         argMinIf((toString(project_id), span_id, toUnixTimestamp64Micro(started_at), duration_us, op, transaction, service,
           failed, status, parent_span_id = ''), (parent_span_id != '', started_at), is_segment = 1) AS first,
         toUnixTimestamp64Micro(min(started_at)) AS startUs, max(toUnixTimestamp64Micro(started_at) + duration_us) AS endUs,
         uniqExact(project_id, span_id) AS spans, arraySort(groupUniqArray(${mostSenders})((toString(project_id), service))) AS senders,
         uniqExactIf(span_id, is_segment = 1) AS segments, uniqExactIf(span_id, is_segment = 1 AND failed = 1) AS failedSegments
       FROM spans WHERE ${ofSpans.sql} GROUP BY trace_id HAVING segments > 0`,
      ofSpans.params,
    ),
    events.query<{ traceId: string; errors: number }>(
      `SELECT trace_id AS traceId, uniqExact(event_id) AS errors FROM errors WHERE ${ofErrors.sql} GROUP BY trace_id`,
      ofErrors.params,
    ),
  ]);
  const errorsOf = new Map(errors.map((row) => [row.traceId, row.errors]));
  return new Map(
    sums.map(({ traceId, first, senders, ...rest }) => {
      const [projectId, spanId, startUs, durationUs, op, transaction, service, failed, status, isRoot] = first;
      const root = {
        projectId: Number(projectId),
        spanId,
        startUs,
        durationUs,
        op,
        transaction,
        service,
        failed: failed === 1,
        status,
        isRoot: isRoot === 1,
      };
      return [
        traceId,
        {
          ...rest,
          root,
          senders: senders.map(([project, name]) => ({ projectId: Number(project), service: name })),
          errors: errorsOf.get(traceId) ?? 0,
        },
      ];
    }),
  );
}
