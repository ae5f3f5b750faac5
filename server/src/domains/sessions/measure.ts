/** Sessions and users from the events store: by the minute for short times, by the hour for longer ones. */
import type { Events } from '../../ports/events/events.ts';
import { inEnvironments, inProjects, type SqlPart, where } from '../../base/sql.ts';
import { noParts, type Parts, partsOf } from './counts.ts';

export interface SessionScope {
  readonly projectIds: readonly number[];
  /** Empty: all. */
  readonly environments: readonly string[];
  /** Undefined: all. */
  readonly releases?: readonly string[] | undefined;
  /** Further conditions on release and environment. */
  readonly filter?: SqlPart | undefined;
}

/** ms since the epoch; longer ones begin at the full hour before. */
export interface SessionTime {
  readonly fromMs: number;
  readonly untilMs: number;
}

export type SessionKey = 'project' | 'release' | 'environment';

export interface SessionQuestion extends SessionScope, SessionTime {
  readonly by: readonly SessionKey[];
  /** Distinct users cost more than sessions. */
  readonly withUsers: boolean;
  /** How many there were, and not how they fared. */
  readonly totalsOnly?: boolean | undefined;
  /** Numbers for each stretch of this length from the start on. */
  readonly bucketMs?: number | undefined;
  /** Groups with the most sessions. */
  readonly limit?: number | undefined;
}

export interface SessionNumbers {
  readonly projectId: number;
  readonly release: string;
  readonly environment: string;
  readonly bucket: number;
  readonly sessions: Parts;
  /** All zero where they were not asked for. */
  readonly users: Parts;
}

const hourMs = 3_600_000;
const minuteMs = 60_000;
/** Longer times are answered from hours. */
const longestByMinute = 24 * hourMs;
const maxGroups = 10_000;

const keyColumns: Readonly<Record<SessionKey, string>> = {
  project: 'project_id',
  release: 'release',
  environment: 'environment',
};

/** At least so bad, of sets and of counts. */
const levels = [
  ['', 'exited + errored + unhandled + abnormal + crashed', 'status > 0'],
  ['_errored', 'errored + unhandled + abnormal + crashed', 'status >= 3'],
  ['_unhandled', 'unhandled + abnormal + crashed', 'status >= 4'],
  ['_abnormal', 'abnormal + crashed', 'status >= 5'],
  ['_crashed', 'crashed', 'status >= 6'],
] as const;
type Level = (typeof levels)[number];

/** Whether numbers come from minutes; then also from when they are. */
function exactFrom({ fromMs, untilMs }: SessionTime, bucketMs?: number): number | undefined {
  const short = untilMs - fromMs < longestByMinute || (bucketMs !== undefined && bucketMs % hourMs !== 0);
  return short ? Math.floor(fromMs / minuteMs) * minuteMs : undefined;
}

/** The groups with the most sessions first; within a group its buckets that have any. */
export async function measureSessions(events: Events, question: SessionQuestion): Promise<SessionNumbers[]> {
  const { by, bucketMs, withUsers } = question;
  const asked = question.totalsOnly ? levels.slice(0, 1) : levels;
  if (!question.projectIds.length) return [];
  const minuteStart = exactFrom(question, bucketMs);
  const startMs = minuteStart ?? Math.floor(question.fromMs / hourMs) * hourMs;
  const scope = scopeOf(question);
  const millis = minuteStart === undefined ? 'toInt64(hour) * 1000' : 'toUnixTimestamp64Milli(minute)';
  const bucket = bucketMs === undefined ? '0' : `intDiv(${millis} - {start:Int64}, {bucket:Int64})`;
  const keys = by.map((key) => keyColumns[key]);
  const names = [...keys, ...(bucketMs === undefined ? [] : ['bucket'])];
  const params = {
    ...scope.params,
    start: startMs,
    until: question.untilMs,
    bucket: bucketMs ?? 0,
    limit: question.limit ?? maxGroups,
  };
  const inner = minuteStart === undefined ? hours : minutes;
  const users = asked.map((_, index) =>
    !withUsers ? '0' : minuteStart === undefined ? `uniqMerge(u${index})` : `uniqIf(user, user != 0 AND s${index} > 0)`,
  );
  const rows = await events.query<RawNumbers>(
    `SELECT ${[...names, `[${asked.map((_, index) => `sum(s${index})`).join(', ')}] AS sessions`, `[${users.join(', ')}] AS users`].join(', ')}
     FROM (${inner(scope.sql, bucket, asked, withUsers)})
     ${names.length ? `GROUP BY ${names.join(', ')}` : ''}
     ORDER BY sessions[1] DESC${names.map((name) => `, ${name}`).join('')} LIMIT {limit:UInt32}
     SETTINGS do_not_merge_across_partitions_select_final = 1`,
    params,
  );
  return rows.map(toNumbers);
}

/** All together. */
export async function totalSessions(
  events: Events,
  question: Omit<SessionQuestion, 'by' | 'bucketMs' | 'limit'>,
): Promise<Pick<SessionNumbers, 'sessions' | 'users'>> {
  const [all] = await measureSessions(events, { ...question, by: [] });
  return all ?? { sessions: noParts, users: noParts };
}

interface RawNumbers {
  readonly project_id?: number;
  readonly release?: string;
  readonly environment?: string;
  readonly bucket?: number;
  readonly sessions: readonly number[];
  readonly users: readonly number[];
}

const toNumbers = (row: RawNumbers): SessionNumbers => ({
  projectId: row.project_id ?? 0,
  release: row.release ?? '',
  environment: row.environment ?? '',
  bucket: Number(row.bucket ?? 0),
  sessions: partsOf(row.sessions.map(Number)),
  users: partsOf(row.users.map(Number)),
});

export function scopeOf({ projectIds, environments, releases, filter }: SessionScope): ReturnType<typeof where> {
  return where(
    inProjects(projectIds),
    inEnvironments(environments),
    releases ? { conditions: ['release IN {releases:Array(String)}'], params: { releases } } : emptyPart,
    filter ?? emptyPart,
  );
}

const emptyPart: SqlPart = { conditions: [], params: {} };

/** A session is in one hour of one release and environment, so that sizes of sets add up; users are merged further out. */
const hours = (scope: string, bucket: string, asked: readonly Level[], withUsers: boolean): string =>
  `SELECT project_id, release, environment, ${bucket} AS bucket,
     ${asked.map(([name, sum], index) => `uniqMerge(sessions${name}) + sum(${sum}) AS s${index}`).join(',\n     ')}
     ${withUsers ? asked.map(([name], index) => `, uniqMergeState(users${name}) AS u${index}`).join('\n     ') : ''}
   FROM session_hours
   WHERE ${scope} AND hour >= intDiv({start:Int64}, 1000) AND hour < intDiv({until:Int64} + 999, 1000)
   GROUP BY project_id, hour, environment, release`;

const minutes = (scope: string, bucket: string, asked: readonly Level[]): string =>
  `SELECT project_id, release, environment, user, ${bucket} AS bucket,
     ${asked.map(([, sum, is], index) => `toUInt64(${is}) + ${sum} AS s${index}`).join(',\n     ')}
   FROM sessions FINAL
   WHERE ${scope} AND minute >= fromUnixTimestamp64Milli({start:Int64}, 'UTC')
     AND minute < fromUnixTimestamp64Milli({until:Int64}, 'UTC')`;
