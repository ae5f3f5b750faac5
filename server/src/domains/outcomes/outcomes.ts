/** How many items ended how, over time. */
import type { Events } from '../../ports/events/events.ts';
import { seriesOf, type TimeRange } from '../../base/time-range.ts';

export interface OutcomeSeries {
  readonly projectId: number;
  readonly category: string;
  readonly outcome: string;
  readonly reason: string;
  readonly total: number;
  /** One number a bucket of the range. */
  readonly series: readonly number[];
}

/** The largest first. Outcomes are counted by the minute, so the range begins with a full one. */
export async function countOutcomes(
  events: Events,
  projectIds: readonly number[],
  range: TimeRange,
): Promise<{ range: TimeRange; groups: OutcomeSeries[] }> {
  const whole: TimeRange = { ...range, startMs: Math.floor(range.startMs / 60_000) * 60_000 };
  if (!projectIds.length) return { range: whole, groups: [] };
  type Row = {
    project_id: number;
    category: string;
    outcome: string;
    reason: string;
    total: number;
    series: [number[], number[]];
  };
  const rows = await events.query<Row>(
    `SELECT project_id, category, outcome, reason, sum(n) AS total, sumMap([bucket], [n]) AS series FROM (
       SELECT project_id, category, outcome, reason, quantity AS n, toUInt32(greatest(0, least({buckets:Int64} - 1,
         intDiv(toUnixTimestamp64Milli(minute) - {start:Int64}, {bucketMs:Int64})))) AS bucket
       FROM outcomes
       WHERE project_id IN {projects:Array(UInt64)} AND minute >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
         AND minute < fromUnixTimestamp64Milli({end:Int64}, 'UTC')
     )
     GROUP BY project_id, category, outcome, reason ORDER BY total DESC LIMIT 1000`,
    {
      projects: projectIds,
      start: whole.startMs,
      // Nothing is dated behind the server's own clock, but the minute that runs belongs to an open range.
      end: whole.open ? whole.endMs + 60_000 : whole.endMs,
      bucketMs: whole.bucketMs,
      buckets: whole.buckets,
    },
  );
  const groups = rows.map(({ project_id, category, outcome, reason, total, series: [indexes, counts] }) => ({
    projectId: project_id,
    category,
    outcome,
    reason,
    total,
    series: seriesOf(whole, new Map(indexes.map((index, at) => [index, counts[at] ?? 0]))).map(([, count]) => count),
  }));
  return { range: whole, groups };
}
