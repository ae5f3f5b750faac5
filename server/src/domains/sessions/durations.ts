/** How long sessions lasted that ended. */
import type { Events } from '../../ports/events/events.ts';
import { scopeOf, type SessionKey, type SessionScope, type SessionTime } from './measure.ts';

export const durationFields = ['avg', 'p50', 'p75', 'p90', 'p95', 'p99', 'max'] as const;
export type DurationField = (typeof durationFields)[number];

export interface DurationQuestion extends SessionScope, SessionTime {
  readonly by: readonly SessionKey[];
  readonly bucketMs?: number | undefined;
}

export interface DurationNumbers {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly bucket: number;
  /** ms, in the order of `durationFields`. */
  readonly ms: readonly number[];
}

const keyColumns: Readonly<Record<SessionKey, string>> = {
  project: 'project_id',
  release: 'release',
  environment: 'environment',
};
const maxGroups = 10_000;

export async function measureDurations(events: Events, question: DurationQuestion): Promise<DurationNumbers[]> {
  const { by, bucketMs, fromMs, untilMs } = question;
  if (!question.projectIds.length) return [];
  const scope = scopeOf(question);
  const names = [...by.map((key) => keyColumns[key]), ...(bucketMs === undefined ? [] : ['bucket'])];
  const bucket =
    bucketMs === undefined ? '0' : 'intDiv(toUnixTimestamp64Milli(minute) - {start:Int64}, {bucket:Int64})';
  const rows = await events.query<{
    project_id?: number;
    release?: string;
    environment?: string;
    bucket?: number;
    ms: number[];
  }>(
    `SELECT ${[...names, 'arrayConcat([avg(duration_ms)], quantiles(0.5, 0.75, 0.9, 0.95, 0.99)(duration_ms), [toFloat64(max(duration_ms))]) AS ms'].join(', ')}
     FROM (SELECT project_id, release, environment, duration_ms, ${bucket} AS bucket FROM sessions FINAL
       WHERE ${scope.sql} AND duration_ms > 0 AND minute >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
         AND minute < fromUnixTimestamp64Milli({until:Int64}, 'UTC'))
     ${names.length ? `GROUP BY ${names.join(', ')}` : 'HAVING count() > 0'} LIMIT ${maxGroups}
     SETTINGS do_not_merge_across_partitions_select_final = 1`,
    { ...scope.params, start: fromMs, until: untilMs, bucket: bucketMs ?? 0 },
  );
  return rows.map((row) => ({
    projectId: row.project_id ?? 0,
    release: row.release ?? '',
    environment: row.environment ?? '',
    bucket: Number(row.bucket ?? 0),
    ms: row.ms,
  }));
}
