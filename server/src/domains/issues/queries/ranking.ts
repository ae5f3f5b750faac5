/** Hashes in the order of their events, from the daily aggregate or from the events themselves. */
import { eventsCount, eventsCountIf, usersCount } from '../../search/index.ts';
import type { SearchNode } from '@culprit/search';
import type { TimeRange } from '../../../base/time-range.ts';
import type { IssueFilter, IssueSort, IssueStores } from '../types.ts';
import { middleOf, riseSql } from './halves.ts';
import type { KnownRanking } from './known-rankings.ts';
import { rowConditions } from './row-conditions.ts';
import {
  during,
  duringDays,
  duringHours,
  inEnvironments,
  inProjects,
  moment,
  type SqlPart,
  where,
} from '../../../base/sql.ts';

export interface RankedHash {
  readonly project_id: number;
  readonly group_hash: string;
}

export interface BoundedHash extends RankedHash {
  /** Not less than what the list is sorted by. */
  readonly bound: number;
}

export interface Stretch {
  readonly limit: number;
  readonly offset: number;
}

type OfProjects = Pick<IssueFilter, 'projects'>;

/** Grouping by the hash alone is a third faster, and with one project says the same. */
export const grouping = ({ projects }: OfProjects): string =>
  projects.length === 1 ? 'group_hash' : 'project_id, group_hash';

/** Said here: a column of the answer with that name would stand for the table's in the conditions. */
export function withProject<Row extends RankedHash>({ projects }: OfProjects, rows: readonly Row[]): readonly Row[] {
  const [only] = projects;
  return only && projects.length === 1 ? rows.map((row) => ({ ...row, project_id: only.id })) : rows;
}

/** From here on whole weeks are summed instead of days: fewer rows, and a bound that is not much looser. */
const weeksFromMs = 10 * 86_400_000;

type RankingStores = Pick<IssueStores, 'events' | 'known'>;

/** What was asked for lately is known. */
async function ranked(
  { events, known }: RankingStores,
  filter: IssueFilter,
  sql: string,
  params: Readonly<Record<string, unknown>>,
): Promise<KnownRanking> {
  const read = async (): Promise<readonly BoundedHash[]> =>
    withProject(filter, await events.query<BoundedHash>(sql, params, { signal: filter.signal }));
  return known ? known.rankings.ask(JSON.stringify([sql, params]), read) : { hashes: await read(), gained: new Set() };
}

/** By events of all days or weeks that the range touches, most first. */
export async function rankByDays(
  stores: RankingStores,
  filter: IssueFilter,
  { limit, offset }: Stretch,
): Promise<KnownRanking> {
  const { range } = filter;
  const weekly = range.endMs - range.startMs >= weeksFromMs;
  const first = weekly ? mondayOf(range.startMs) : range.startMs;
  const days = {
    conditions: [
      `days = ${weekly ? 7 : 1}`,
      'start >= toDate({dayFrom:String})',
      ...(range.open ? [] : ['start <= toDate({dayUntil:String})']),
    ],
    params: { dayFrom: dayOf(first), ...(range.open ? {} : { dayUntil: dayOf(range.endMs) }) },
  };
  const scope = where(
    inProjects(filter.projects.map((project) => project.id)),
    inEnvironments(filter.environments),
    days,
  );
  const by = grouping(filter);
  return ranked(
    stores,
    filter,
    `SELECT ${by}, sum(events) AS bound FROM issue_ranks WHERE ${scope.sql}
     GROUP BY ${by} ORDER BY bound DESC, group_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, limit, offset },
  );
}

/** By what the order `trends` is made of, most first; for ranges of full hours or days. */
export async function rankByRise(
  stores: RankingStores,
  filter: IssueFilter,
  { limit, offset }: Stretch,
): Promise<KnownRanking> {
  const { range } = filter;
  const daily = range.grain === 'day';
  const middle = middleOf(range);
  const from = (startMs: number, name: string): SqlPart =>
    daily ? duringDays({ ...range, startMs }, name, 'start') : duringHours({ ...range, startMs }, name);
  const scope = where(
    inProjects(filter.projects.map((project) => project.id)),
    ...(daily ? [{ conditions: ['days = 1'], params: {} }] : []),
    inEnvironments(filter.environments),
    from(range.startMs, 'range'),
  );
  const half = where(from(middle, 'half'));
  const by = grouping(filter);
  return ranked(
    stores,
    filter,
    `SELECT ${by}, ${riseSql('sum(events)', `sumIf(events, ${half.sql})`)} AS bound
     FROM ${daily ? 'issue_ranks' : 'issue_hours'} WHERE ${scope.sql}
     GROUP BY ${by} ORDER BY bound DESC, group_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, ...half.params, limit, offset },
  );
}

const dayMs = 86_400_000;

/** The start of the week; the first day of the epoch was a Thursday. */
const mondayOf = (ms: number): number => (Math.floor(ms / dayMs) - ((Math.floor(ms / dayMs) + 3) % 7)) * dayMs;

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * The range cut at the weeks that the store keeps apart, newest first. What has an event in a newer window comes before
 * everything that has none there, so a list by last event needs the older ones only when the newer are not enough.
 */
export function rankingWindows(range: TimeRange, sort: IssueSort): TimeRange[] {
  if (sort !== 'date') return [range];
  const thisWeek = mondayOf(range.endMs - 1);
  const cuts = [thisWeek, thisWeek - 7 * dayMs].filter((cut) => cut > range.startMs);
  return [...cuts, range.startMs].map((startMs, index) => {
    const endMs = cuts[index - 1] ?? range.endMs;
    return { ...range, startMs, endMs, open: range.open && index === 0 };
  });
}

const orderSql = (sort: IssueSort): string => {
  switch (sort) {
    case 'date':
      return 'toUnixTimestamp64Milli(max(timestamp))';
    case 'new':
      return 'toUnixTimestamp64Milli(min(timestamp))';
    case 'freq':
      return eventsCount;
    case 'user':
      return usersCount();
    case 'trends':
      return riseSql(eventsCount, eventsCountIf(`timestamp >= ${moment('middle')}`));
  }
};

/** By the events that fulfil the search. Reads all events of the range. */
export async function rankByEvents(
  { events }: Pick<IssueStores, 'events'>,
  filter: IssueFilter & { readonly sort: IssueSort; readonly rows: SearchNode | undefined },
  { limit, offset }: Stretch,
): Promise<readonly BoundedHash[]> {
  const scope = where(
    inProjects(filter.projects.map((project) => project.id)),
    inEnvironments(filter.environments),
    during(filter.range),
    rowConditions(filter.rows, {
      projectIds: filter.projects.map((project) => project.id),
      fromMs: filter.range.startMs,
      nowMs: filter.nowMs,
    }),
  );
  const by = grouping(filter);
  const rows = await events.query<BoundedHash>(
    `SELECT ${by}, ${orderSql(filter.sort)} AS bound FROM errors WHERE ${scope.sql}
     GROUP BY ${by} ORDER BY bound DESC, group_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, limit, offset, ...(filter.sort === 'trends' ? { middle: middleOf(filter.range) } : {}) },
    { signal: filter.signal },
  );
  return withProject(filter, rows);
}
