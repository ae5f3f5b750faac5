/** What the traces of a page have altogether: in one look at their segments, one at their spans and one at their errors. */
import type { Events } from '../../ports/events/events.ts';
import { amongProjects, where } from '../../base/sql.ts';
import { condition } from './measures.ts';

export interface TraceSummary {
  /** The root; the earliest segment where no root has arrived. */
  readonly root: TraceRoot;
  /** From the first segment to the end of the last one. */
  readonly startUs: number;
  readonly endUs: number;
  /** As received within six hours: what was sent twice counts twice. */
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

interface SegmentSums {
  readonly traceId: string;
  readonly first: readonly [string, string, number, number, string, string, string, number, string, number];
  readonly startUs: number;
  readonly endUs: number;
  readonly senders: readonly (readonly [string, string])[];
  readonly segments: number;
  readonly failedSegments: number;
}

/** The rest of a trace is looked for this far from the segments that are known: traces of pages that stay open are long. */
const segmentsAroundMs = 2 * 86_400_000;
/** Spans are counted nearer: every granule of that time is held against the ids of the page. */
const spansAroundMs = 6 * 3_600_000;
const maxSenders = 20;

export async function summariesOf(
  events: Events,
  projectIds: readonly number[],
  known: readonly { readonly traceId: string; readonly startUs: number }[],
): Promise<ReadonlyMap<string, TraceSummary>> {
  if (!known.length) return new Map();
  const starts = known.map(({ startUs }) => Math.floor(startUs / 1000));
  const traceIds = known.map(({ traceId }) => traceId);
  const scopeBy = (time: string, aroundMs: number) =>
    where(
      amongProjects(projectIds),
      condition('trace_id IN {traceIds:Array(String)}', { traceIds }),
      condition(`${time} >= fromUnixTimestamp64Milli({aroundFrom:Int64}, 'UTC')`, {
        aroundFrom: Math.max(0, Math.min(...starts) - aroundMs),
      }),
      condition(`${time} <= fromUnixTimestamp64Milli({aroundUntil:Int64}, 'UTC')`, {
        aroundUntil: Math.max(...starts) + aroundMs,
      }),
    );
  const started = scopeBy('started_at', segmentsAroundMs);
  const counted = scopeBy('started_at', spansAroundMs);
  const happened = scopeBy('timestamp', segmentsAroundMs);
  const [sums, spans, errors] = await Promise.all([
    events.query<SegmentSums>(
      `SELECT trace_id AS traceId,
         argMin((toString(project_id), span_id, toUnixTimestamp64Micro(started_at), duration_us, op, transaction, service, failed,
           status, is_root), (is_root = 0, started_at)) AS first,
         toUnixTimestamp64Micro(min(started_at)) AS startUs, max(toUnixTimestamp64Micro(started_at) + duration_us) AS endUs,
         arraySort(groupUniqArray(${maxSenders})((toString(project_id), service))) AS senders,
         uniqExact(span_id) AS segments, uniqExactIf(span_id, failed = 1) AS failedSegments
       FROM segments WHERE ${started.sql} GROUP BY trace_id`,
      started.params,
    ),
    events.query<{ traceId: string; count: number }>(
      `SELECT trace_id AS traceId, count() AS count FROM spans WHERE ${counted.sql} GROUP BY trace_id`,
      counted.params,
    ),
    events.query<{ traceId: string; count: number }>(
      `SELECT trace_id AS traceId, uniqExact(event_id) AS count FROM errors WHERE ${happened.sql} AND issue_type = '' GROUP BY trace_id`,
      happened.params,
    ),
  ]);
  const spansOf = new Map(spans.map(({ traceId, count }) => [traceId, count]));
  const errorsOf = new Map(errors.map(({ traceId, count }) => [traceId, count]));
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
          spans: spansOf.get(traceId) ?? 0,
          errors: errorsOf.get(traceId) ?? 0,
        },
      ];
    }),
  );
}
