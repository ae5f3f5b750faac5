/** What the events store says of the last day and week. */
import { estimateOfPart, eventsCount, eventsCountIf, metUsers, partSpread, type PartSpread } from '../search/index.ts';
import { during, inEnvironments, inProjects, where } from '../../base/sql.ts';
import type { ErrorSeries, Hotspot, NowRequest, NowStores } from './types.ts';

const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
export const bucketMs = hourMs;
export const bucketsOfDay = dayMs / bucketMs;

/** Where the day of the charts begins: its last bucket is the hour that runs. */
export const startOfDay = (nowMs: number): number => Math.floor(nowMs / bucketMs + 1) * bucketMs - dayMs;

const scopeOf = ({ projects, environments }: NowRequest, sinceMs: number) =>
  where(
    inProjects(projects.map(({ id }) => id)),
    inEnvironments(environments),
    during({ startMs: sinceMs, endMs: sinceMs, open: true }),
    // Performance problems are no errors.
    { conditions: ["issue_type = ''"], params: {} },
  );

/** Errors and who had them, of this day and the one before, up to now. */
export async function errorSeries({ events }: NowStores, request: NowRequest): Promise<ErrorSeries> {
  const startMs = startOfDay(request.nowMs);
  const scope = scopeOf(request, startMs - dayMs);
  type Row = {
    readonly earlier: 0 | 1;
    readonly users: number;
    readonly parts: readonly [number, number, number][];
    /** As `PartSpread` has them. */
    readonly spreads: readonly [spread: number, largest: number, stored: number];
  };
  const rows = request.projects.length
    ? await events.query<Row>(
        `SELECT earlier, uniqCombined64ArrayMerge(12)(users_) AS users,
           groupArray((bucket, n, finalizeAggregation(users_))) AS parts,
           (sum(spread), max(largest), sum(stored)) AS spreads
         FROM (
           SELECT toUInt8(at < {start:Int64}) AS earlier,
             least(intDiv(at - if(earlier, {start:Int64} - {day:Int64}, {start:Int64}), {bucket:Int64}), {last:Int64}) AS bucket,
             ${eventsCount} AS n, uniqCombined64ArrayState(12)(${metUsers}) AS users_,
             ${partSpread()}
           FROM (SELECT toUnixTimestamp64Milli(timestamp) AS at, user, sampled_users, stands_for FROM errors WHERE ${scope.sql})
           GROUP BY earlier, bucket
         )
         GROUP BY earlier`,
        { ...scope.params, start: startMs, day: dayMs, bucket: bucketMs, last: bucketsOfDay - 1 },
      )
    : [];
  const of = (earlier: 0 | 1) => {
    const row = rows.find((one) => one.earlier === earlier);
    const errors = Array.from<number>({ length: bucketsOfDay }).fill(0);
    const users = [...errors];
    for (const [bucket, count, distinct] of row?.parts ?? []) {
      errors[bucket] = count;
      users[bucket] = distinct;
    }
    const [spread, largest, stored] = row?.spreads ?? [0, 0, 0];
    const sum = errors.reduce((all, count) => all + count, 0);
    // Of whole projects it is right.
    const isPart = request.environments.length > 0;
    const estimate = isPart ? estimateOfPart(sum, { spread, largest, stored }) : undefined;
    return { errors, users, usersOfDay: row?.users ?? 0, estimate };
  };
  const [today, before] = [of(0), of(1)];
  return {
    startMs,
    bucketMs,
    errors: today.errors,
    errorsBefore: before.errors,
    estimate: today.estimate,
    users: today.users,
    usersBefore: before.users,
    usersOfDay: today.usersOfDay,
    usersOfDayBefore: before.usersOfDay,
  };
}

const weekHours = 7 * 24;
/** Places that are looked at. */
const maxPlaces = 20;

export interface Hours {
  readonly lastHour: number;
  /** Mean of the hours before it that there is data of, at most a week. */
  readonly usual: number;
  readonly hotspots: readonly Hotspot[];
}

/** The last hour beside the hours before it, as a whole and by transaction. */
export async function compareHours({ events }: NowStores, request: NowRequest): Promise<Hours> {
  if (!request.projects.length) return { lastHour: 0, usual: 0, hotspots: [] };
  const hourAgo = request.nowMs - hourMs;
  const scope = scopeOf(request, hourAgo - weekHours * hourMs);
  type Row = { project: number; transaction: string; recent: number; earlier: number; first: number } & PartSpread;
  const rows = await events.query<Row>(
    `SELECT project_id AS project, transaction, ${eventsCountIf('at >= {hourAgo:Int64}')} AS recent,
       ${eventsCount} - recent AS earlier, min(at) AS first, ${partSpread('at >= {hourAgo:Int64}')}
     FROM (
       SELECT project_id, transaction, stands_for, toUnixTimestamp64Milli(timestamp) AS at FROM errors WHERE ${scope.sql}
     )
     GROUP BY GROUPING SETS ((project_id, transaction), ())
     ORDER BY project = 0 AND transaction = '' DESC, recent DESC LIMIT ${maxPlaces + 1}`,
    { ...scope.params, hourAgo },
  );
  const [total, ...places] = rows;
  if (!total || !(total.recent + total.earlier)) return { lastHour: 0, usual: 0, hotspots: [] };
  // A store that began yesterday has a usual day only.
  const hours = Math.min(weekHours, Math.max(1, (hourAgo - total.first) / hourMs));
  return {
    lastHour: total.recent,
    usual: total.earlier / hours,
    hotspots: places
      .filter(({ recent }) => recent > 0)
      .map(({ project, transaction, recent, earlier, ...spread }) => ({
        projectId: project,
        transaction,
        count: recent,
        estimate: estimateOfPart(recent, spread),
        usual: earlier / hours,
      })),
  };
}
