/**
 * What the number of events does: an issue outgrows its forecast, or the events or users come for which it was archived.
 * Asked only of issues that got events, with a query or two for all of a project together; what is busy enough to be worth
 * a forecast is looked at more closely. Only what came after the last change of its status counts against an issue.
 */
import type { Events } from '../../events/events.ts';
import { chunksOf, ownersOf } from '../queries/rows.ts';
import { inProjects, moment, startSecond, where, withHashes } from '../queries/scope.ts';
import type { IssueStores } from '../types.ts';
import { parseDetails, type StatusDetails } from './details.ts';
import { forecast, forecastDays, leastForecast } from './forecast.ts';
import { type Changed, type Move, transition } from './transition.ts';

const hourMs = 3_600_000;
const minuteMs = 60_000;
const atOnce = 1_000;

interface Watched {
  readonly id: number;
  readonly projectId: number;
  readonly substatus: string;
  readonly details: StatusDetails;
  /** Null: since it was first seen. */
  readonly changedAt: number | null;
  readonly firstSeen: number;
  readonly hashes: string[];
}

/** Forecasts that were made, by issue, hour and last change of its status. */
export type Forecasts = Map<string, number>;
const mostForecasts = 20_000;

/** `ids` got events. `nowMs`: ms since the epoch. */
export async function moveByVolume(
  stores: IssueStores,
  ids: Iterable<number>,
  nowMs: number,
  forecasts: Forecasts,
): Promise<Changed[]> {
  const changed: Changed[] = [];
  if (forecasts.size > mostForecasts) forecasts.clear();
  for (const chunk of chunksOf([...ids], atOnce)) {
    for (const issues of (await watchedAmong(stores, chunk)).values()) {
      const growing = issues.filter((issue) => issue.substatus !== 'archived_until_condition_met');
      const waiting = issues.filter((issue) => issue.substatus === 'archived_until_condition_met');
      const moves = [
        ...(await outgrown(stores.events, growing, nowMs, forecasts)),
        ...(await conditionsMet(stores.events, waiting, nowMs)),
      ];
      if (!moves.length) continue;
      changed.push(...(await stores.state.transaction((trx) => transition(trx, moves, { userId: null, nowMs }))));
    }
  }
  return changed;
}

/** Those that a number of events can move, by project. */
async function watchedAmong({ state }: IssueStores, ids: readonly number[]): Promise<Map<number, Watched[]>> {
  const rows = await state.db
    .selectFrom('issue')
    .select(['id', 'project_id', 'substatus', 'status_details', 'status_changed_at', 'first_seen'])
    .where('id', 'in', ids)
    .where('status', 'in', ['unresolved', 'archived'])
    .where('substatus', 'in', ['ongoing', 'archived_until_escalating', 'archived_until_condition_met'])
    .where('merged_into', 'is', null)
    .execute();
  const watched = new Map<number, Watched>();
  for (const row of rows) {
    const details = parseDetails(row.status_details);
    watched.set(row.id, {
      id: row.id,
      projectId: row.project_id,
      substatus: row.substatus ?? '',
      details,
      changedAt: row.status_changed_at,
      firstSeen: row.first_seen,
      hashes: [],
    });
  }
  for (const [key, id] of await ownersOf(state, [...watched.keys()])) {
    watched.get(id)?.hashes.push(key.slice(key.indexOf(':') + 1));
  }
  return Map.groupBy(watched.values(), (issue) => issue.projectId);
}

async function outgrown(
  events: Events,
  issues: readonly Watched[],
  nowMs: number,
  forecasts: Forecasts,
): Promise<Move[]> {
  // What came at the end of an hour is seen at the beginning of the next.
  const hour = Math.floor(nowMs / hourMs) * hourMs;
  const hours = [hour - hourMs, hour];
  const counts = await hourlyCounts(events, issues, hour - hourMs);
  const moves: Move[] = [];
  for (const issue of issues) {
    for (const at of hours) {
      if (at + hourMs <= (issue.changedAt ?? 0)) continue;
      const inHour = counts.get(issue.id)?.get(at) ?? 0;
      if (inHour <= leastForecast) continue;
      const expected = await forecastOf(events, issue, at, forecasts);
      if (inHour <= expected) continue;
      const count =
        (issue.changedAt ?? 0) > at ? await countBetween(events, issue, issue.changedAt ?? 0, at + hourMs) : inHour;
      if (count <= expected) continue;
      moves.push({
        issueId: issue.id,
        trigger: 'outgrown',
        data: { count, forecast: expected, hour: new Date(at).toISOString() },
        since: issue.changedAt,
      });
      break;
    }
  }
  return moves;
}

async function forecastOf(events: Events, issue: Watched, hour: number, forecasts: Forecasts): Promise<number> {
  const key = `${issue.id}:${hour}:${issue.changedAt ?? ''}`;
  const known = forecasts.get(key);
  if (known !== undefined) return known;
  const first = Math.max(Math.floor(issue.firstSeen / hourMs) * hourMs, hour - forecastDays * 24 * hourMs);
  const counts = (await hourlyCounts(events, [issue], first)).get(issue.id);
  const history = Array.from({ length: Math.max(0, (hour - first) / hourMs) }, (_, index) => {
    return counts?.get(first + index * hourMs) ?? 0;
  });
  // Who archives it while it is loud knows that it is.
  const accepted =
    issue.substatus === 'archived_until_escalating' && issue.changedAt !== null
      ? await countBetween(events, issue, issue.changedAt - hourMs, issue.changedAt)
      : 0;
  const expected = forecast(history, accepted);
  forecasts.set(key, expected);
  return expected;
}

/** Events of each issue by the beginning of the hour, from one on. */
async function hourlyCounts(
  events: Events,
  issues: readonly Watched[],
  fromMs: number,
): Promise<Map<number, Map<number, number>>> {
  const counts = new Map<number, Map<number, number>>();
  for (const [hashes, owners, projectId] of hashesOf(issues)) {
    const scope = where(inProjects([projectId]), withHashes(hashes));
    const rows = await events.query<{ hash: string; at: number; n: number }>(
      `SELECT group_hash AS hash, toUnixTimestamp(hour) AS at, sum(events) AS n FROM issue_hours
       WHERE ${scope.sql} AND hour >= {from:UInt32} GROUP BY hash, at`,
      { ...scope.params, from: startSecond(fromMs) },
    );
    for (const { hash, at, n } of rows) {
      const id = owners.get(hash);
      if (id === undefined) continue;
      const ofIssue = counts.get(id) ?? new Map<number, number>();
      ofIssue.set(at * 1_000, (ofIssue.get(at * 1_000) ?? 0) + Number(n));
      counts.set(id, ofIssue);
    }
  }
  return counts;
}

/** Hashes of one query; an issue alone may have thousands. */
const hashesAtOnce = 5_000;

function* hashesOf(
  issues: readonly Watched[],
): Generator<[hashes: readonly string[], owners: ReadonlyMap<string, number>, projectId: number]> {
  const owners = new Map(issues.flatMap((issue) => issue.hashes.map((hash) => [hash, issue.id] as const)));
  const projectId = issues[0]?.projectId ?? 0;
  for (const chunk of chunksOf([...owners.keys()], hashesAtOnce)) yield [chunk, owners, projectId];
}

async function countBetween(events: Events, issue: Watched, fromMs: number, untilMs: number): Promise<number> {
  let count = 0;
  for (const [hashes, , projectId] of hashesOf([issue])) {
    const scope = where(inProjects([projectId]), withHashes(hashes));
    const [row] = await events.query<{ n: number }>(
      `SELECT count() AS n FROM errors
       WHERE ${scope.sql} AND timestamp > ${moment('from')} AND timestamp < ${moment('until')}`,
      { ...scope.params, from: fromMs, until: untilMs },
    );
    count += Number(row?.n ?? 0);
  }
  return count;
}

/** Of the events since an issue was archived, or within its window where that is shorter. */
async function conditionsMet(events: Events, issues: readonly Watched[], nowMs: number): Promise<Move[]> {
  const counted = issues.filter(
    ({ details, hashes }) =>
      hashes.length && (details.ignoreCount !== undefined || details.ignoreUserCount !== undefined),
  );
  if (!counted.length) return [];
  const tallies = await tallyOf(events, counted, nowMs);
  return counted.flatMap((issue): Move[] => {
    const { ignoreCount, ignoreWindow, ignoreUserCount, ignoreUserWindow } = issue.details;
    const { n, users } = tallies.get(issue.id) ?? { n: 0, users: 0 };
    const byEvents = ignoreCount !== undefined && n >= ignoreCount;
    const byUsers = ignoreUserCount !== undefined && users >= ignoreUserCount;
    if (!byEvents && !byUsers) return [];
    const data = byEvents
      ? { ignoreCount, ignoreWindow, count: n }
      : { ignoreUserCount, ignoreUserWindow, userCount: users };
    return [{ issueId: issue.id, trigger: 'condition_met', data, since: issue.changedAt }];
  });
}

interface Tally {
  readonly n: number;
  readonly users: number;
}

/** Events and different users of each, for all in one query. */
async function tallyOf(events: Events, issues: readonly Watched[], nowMs: number): Promise<Map<number, Tally>> {
  const since = (issue: Watched, window: number | undefined): number =>
    Math.max(issue.changedAt ?? 0, window === undefined ? 0 : nowMs - window * minuteMs);
  const hashes = issues.flatMap((issue) =>
    issue.hashes.map((hash) => ({
      hash,
      id: issue.id,
      events: since(issue, issue.details.ignoreWindow),
      users: since(issue, issue.details.ignoreUserWindow),
    })),
  );
  const scope = where(inProjects([issues[0]?.projectId ?? 0]), {
    conditions: ['group_hash IN {hashes:Array(String)}', `timestamp > ${moment('first')}`],
    params: {
      hashes: hashes.map((one) => one.hash),
      first: Math.min(...hashes.map((one) => Math.min(one.events, one.users))),
    },
  });
  const of = (name: string, type: string): string =>
    `transform(group_hash, {hashes:Array(String)}, {${name}:Array(${type})}, to${type}(0))`;
  const after = (name: string): string => `toUnixTimestamp64Milli(timestamp) > ${of(name, 'Int64')}`;
  const rows = await events.query<{ id: number; n: number; users: number }>(
    `SELECT ${of('issues', 'Int64')} AS id, countIf(${after('events')}) AS n,
       uniqExactIf(user, user != '' AND ${after('users')}) AS users
     FROM errors WHERE ${scope.sql} GROUP BY id`,
    {
      ...scope.params,
      issues: hashes.map((one) => one.id),
      events: hashes.map((one) => one.events),
      users: hashes.map((one) => one.users),
    },
  );
  return new Map(rows.map((row) => [Number(row.id), { n: Number(row.n), users: Number(row.users) }]));
}
