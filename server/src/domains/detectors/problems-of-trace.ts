/** The performance problems that were found in a trace. */
import type { Events } from '../../ports/events/events.ts';
import { amongProjects, where } from '../../base/sql.ts';

export interface TraceProblem {
  readonly projectId: number;
  readonly eventId: string;
  /** Of its group. */
  readonly hash: string;
  /** ms since the epoch. */
  readonly at: number;
  readonly type: string;
  readonly title: string;
  readonly subtitle: string;
  readonly transaction: string;
  readonly level: string;
  readonly offenderSpanIds: readonly string[];
  readonly causeSpanIds: readonly string[];
}

/** Of one trace; the newest. */
const maxProblems = 100;
/** How far from the time hint they are looked for. */
const hintMs = 2 * 86_400_000;

export async function problemsOfTrace(
  events: Events,
  request: { readonly projectIds: readonly number[]; readonly traceId: string; readonly nearMs?: number | undefined },
): Promise<TraceProblem[]> {
  const { projectIds, traceId, nearMs } = request;
  if (!projectIds.length) return [];
  const scope = where(amongProjects(projectIds), {
    conditions: [
      'trace_id = {trace:String}',
      `issue_type != ''`,
      ...(nearMs === undefined
        ? []
        : [
            `timestamp >= fromUnixTimestamp64Milli({nearFrom:Int64}, 'UTC')`,
            `timestamp <= fromUnixTimestamp64Milli({nearUntil:Int64}, 'UTC')`,
          ]),
    ],
    params: {
      trace: traceId,
      ...(nearMs !== undefined && { nearFrom: Math.max(0, nearMs - hintMs), nearUntil: nearMs + hintMs }),
    },
  });
  const rows = await events.query<TraceProblem>(
    `SELECT project_id AS projectId, event_id AS eventId, group_hash AS hash, toUnixTimestamp64Milli(timestamp) AS at,
       issue_type AS type, title, message AS subtitle, transaction, level,
       JSONExtract(facts, 'occurrence', 'evidenceData', 'offenderSpanIds', 'Array(String)') AS offenderSpanIds,
       JSONExtract(facts, 'occurrence', 'evidenceData', 'causeSpanIds', 'Array(String)') AS causeSpanIds
     FROM errors WHERE ${scope.sql} ORDER BY timestamp DESC LIMIT 1 BY project_id, event_id LIMIT {limit:UInt32}`,
    { ...scope.params, limit: maxProblems },
  );
  return rows.toReversed();
}
