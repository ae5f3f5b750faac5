/**
 * Counts, users, last seen and the series for the issues of a page.
 *
 * `issue_lives` has a row a day and `issue_hours` one an hour, both ordered by hash, so that a page reads only its own
 * rows. The life of the issues and ranges that begin at a full day come from the former, the series and shorter ranges
 * from the latter. Search terms about events and ranges that begin within an hour need the events themselves. The
 * queries run side by side and are flat, because planning one costs as much as running it; each column adds to both, so
 * what follows from the others is not asked for.
 */
import type { SearchNode } from '@culprit/search';
import type { TimeRange } from '../../../base/time-range.ts';
import type { IssueFilter, IssueNumbers, IssueRow, IssueStores, LifeCounts } from '../types.ts';
import { middleOf } from './halves.ts';
import { rowConditions } from './row-conditions.ts';
import { hashKey, ownersOf } from '../rows.ts';
import { readUsers, toldApartSql } from './users/user-set.ts';
import {
  dayMillis,
  duringDays,
  duringHours,
  hourMillis,
  inEnvironments,
  inProjects,
  moment,
  seriesOf,
  type SqlPart,
  startSecond,
  toSeries,
  where,
  withHashes,
} from '../../../base/sql.ts';

export interface NumbersFilter extends Pick<IssueFilter, 'projects' | 'environments' | 'range' | 'nowMs' | 'signal'> {
  /** What events must fulfil; undefined: all of them count. */
  readonly rows: SearchNode | undefined;
  /** Whether the events of the second half are asked for. */
  readonly halves: boolean;
  /** Whether users are told apart, so that more of them can be counted in; for issues that get events. */
  readonly usersApart?: boolean;
}

/** The issue, or its only hash. */
type OwnerKey = number | string;

/** `n` is left out where the series has all events of the range, `last` where nothing can lie behind the range. */
interface RangedRow {
  readonly owned_by: OwnerKey;
  readonly n?: number;
  readonly bad: number;
  readonly u: number;
  readonly u_set?: string;
  readonly last?: number;
}

interface LifeCountsRow {
  readonly owned_by: OwnerKey;
  readonly life_n: number;
  readonly life_u: number;
}

/** `life_bad` is there where nothing but the life is asked for. */
interface LifeRow extends LifeCountsRow {
  readonly life_set?: string;
  readonly life_bad?: number;
  readonly life_last: number;
}

interface SeriesRow {
  readonly owned_by: OwnerKey;
  readonly recent: number;
  readonly series: readonly number[];
}

/** What one query answers about an issue; each of them some of it. */
type NumbersRow = Pick<LifeRow, 'owned_by'> & Partial<RangedRow & LifeRow & SeriesRow>;

interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What is asked for by issue needs no more of them. */
export type NumberedIssue = Pick<IssueRow, 'id' | 'projectId' | 'firstSeen'>;

/** Issues without an event within the filter are not in the answer. */
export async function numbersOf(
  { state, events }: IssueStores,
  issues: readonly NumberedIssue[],
  filter: NumbersFilter,
  seriesRange: TimeRange = filter.range,
): Promise<Map<number, IssueNumbers>> {
  if (!issues.length) return new Map();
  const page = await scopeOf(state, issues);
  const byEvents = filter.range.grain === 'ms' || seriesRange.grain === 'ms' || filter.rows !== undefined;
  // Nothing of these issues lies outside the range: then their life is what it holds.
  const whole =
    !byEvents &&
    !filter.environments.length &&
    filter.range.open &&
    issues.every((issue) => issue.firstSeen >= filter.range.startMs);
  const queries = byEvents
    ? [lifeNumbers(page), eventNumbers(page, filter, seriesRange)]
    : aggregateNumbers(page, filter, seriesRange, whole);
  const answers = await Promise.all(
    queries.map(({ sql, params }) => events.query<NumbersRow>(sql, params, { signal: filter.signal })),
  );
  const merged = new Map<OwnerKey, NumbersRow>();
  for (const row of answers.flat()) merged.set(row.owned_by, { ...merged.get(row.owned_by), ...row });
  const numbers = new Map<number, IssueNumbers>();
  for (const row of merged.values()) {
    const issue = page.issueOf(row.owned_by);
    const own = toNumbers(row, whole, !byEvents && !whole && isCountedBySeries(filter.range, seriesRange));
    if (own && issue !== undefined) numbers.set(issue, own);
  }
  return numbers;
}

/** Undefined without an event in the range. */
function toNumbers(row: NumbersRow, whole: boolean, bySeries: boolean): IssueNumbers | undefined {
  const { life_n = 0, life_bad = 0, life_u = 0, life_last = 0, life_set, u_set } = row;
  const lifetime = { count: life_n, userCount: life_u, lastSeen: life_last };
  const { recent = 0, series = [] } = row;
  const { n = bySeries ? sumOf(series) : 0, bad = 0, u = 0, last = life_last } = row;
  const ranged = whole ? lifetime : { count: n, userCount: u, lastSeen: last };
  if (!ranged.count) return undefined;
  const users = life_set === undefined ? undefined : readUsers(life_set);
  const rangedUsers = whole ? users : u_set === undefined ? undefined : readUsers(u_set);
  return {
    ...ranged,
    recent,
    series: toSeries(series),
    unhandled: (whole ? life_bad : bad) > 0,
    lifetime,
    ...(life_set !== undefined && { users: { ranged: rangedUsers, lifetime: users } }),
  };
}

/** Both of whole days, from the same one on. */
const isCountedBySeries = (range: TimeRange, seriesRange: TimeRange): boolean =>
  range.grain === 'day' && isOfDays(seriesRange) && seriesRange.open && seriesRange.startMs === range.startMs;

const isOfDays = ({ grain, bucketMs }: TimeRange): boolean => grain === 'day' && bucketMs % dayMs === 0;

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Counts over the life of issues alone: what decides whether an issue passes, before the rest is asked. */
export async function lifetimesOf(
  { state, events }: IssueStores,
  issues: readonly IssueRow[],
  signal: AbortSignal | undefined,
): Promise<Map<number, LifeCounts>> {
  const page = await scopeOf(state, issues);
  const scope = where(page);
  const rows = await events.query<LifeCountsRow>(
    `SELECT ${page.owner} AS owned_by, ${lifeCounts} FROM issue_lives WHERE ${scope.sql} GROUP BY owned_by`,
    scope.params,
    { signal },
  );
  return new Map(
    rows.flatMap((row) => {
      const issue = page.issueOf(row.owned_by);
      return issue === undefined ? [] : [[issue, { count: row.life_n, userCount: row.life_u }] as const];
    }),
  );
}

export interface PageScope extends SqlPart {
  /** What stands for the issue that owns the row's hash, as an expression. */
  readonly owner: string;
  issueOf(owner: OwnerKey): number | undefined;
}

export async function scopeOf(
  state: IssueStores['state'],
  issues: readonly Pick<IssueRow, 'id' | 'projectId'>[],
): Promise<PageScope> {
  const owners = await ownersOf(
    state,
    issues.map((issue) => issue.id),
  );
  const keys = [...owners.keys()];
  const hashes = [...new Set(keys.map((key) => key.slice(key.indexOf(':') + 1)))];
  const projectIds = [...new Set(issues.map((issue) => issue.projectId))];
  // Most issues own one hash, and then the hash says which it is.
  if (projectIds.length === 1 && hashes.length === issues.length && owners.size === hashes.length) {
    const [projectId = 0] = projectIds;
    const own = where(inProjects(projectIds), withHashes(hashes));
    return {
      owner: 'group_hash',
      issueOf: (hash) => owners.get(hashKey(projectId, String(hash))),
      conditions: [own.sql],
      params: own.params,
    };
  }
  // The same hash in two projects belongs to two issues; then the project must decide too, which costs more.
  const alone = projectIds.length === 1;
  const key = alone ? 'group_hash' : "concat(toString(project_id), ':', group_hash)";
  const scope = where(inProjects(projectIds), withHashes(hashes));
  return {
    owner: `transform(${key}, {owned:Array(String)}, {issues:Array(UInt64)}, toUInt64(0))`,
    issueOf: Number,
    conditions: [scope.sql],
    params: { ...scope.params, owned: alone ? hashes : keys, issues: [...owners.values()] },
  };
}

const dayMs = 86_400_000;
const nothing: SqlPart = { conditions: [], params: {} };

function recentHalf(range: TimeRange): { startMs: number; hours: SqlPart; events: SqlPart } {
  const half = { ...range, startMs: middleOf(range) };
  return { startMs: half.startMs, hours: duringHours(half, 'half'), events: within(half, 'half', 'timestamp') };
}

function within(range: TimeRange, name: string, column: string): SqlPart {
  const conditions = [`${column} >= ${moment(`${name}Start`)}`];
  const params: Record<string, unknown> = { [`${name}Start`]: range.startMs };
  if (!range.open) {
    conditions.push(`${column} < ${moment(`${name}End`)}`);
    params[`${name}End`] = range.endMs;
  }
  return { conditions, params };
}

const lifeCounts = 'sum(events) AS life_n, uniqMerge(users) AS life_u';
const lifeColumns = (usersApart: boolean | undefined): string =>
  `${usersApart ? `sum(events) AS life_n, ${toldApartSql('uniqMergeState(users)', 'life_u', 'life_set')}` : lifeCounts},
     toUnixTimestamp64Milli(max(last_seen)) AS life_last`;
const rangedColumns = (usersApart: boolean | undefined): string =>
  `sumIf(unhandled, in_range) AS bad, ${
    usersApart ? toldApartSql('uniqMergeStateIf(users, in_range)', 'u', 'u_set') : 'uniqMergeIf(users, in_range) AS u'
  }`;
const rangedCount = 'sumIf(events, in_range) AS n';
const rangedLast = 'toUnixTimestamp64Milli(maxIf(last_seen, in_range)) AS last';

/** Life, and range and series of whole days, from the days; what is shorter from the hours, where anything is. */
function aggregateNumbers(page: PageScope, filter: NumbersFilter, seriesRange: TimeRange, whole: boolean): Query[] {
  const { range } = filter;
  const environment = inEnvironments(filter.environments);
  const scope = where(page);
  const isDaily = isOfDays(seriesRange);
  const inSeries = where((isDaily ? duringDays : duringHours)(seriesRange, 'series'), environment);
  const series = `${seriesOf(seriesRange, isDaily ? dayMillis : hourMillis, 'events', inSeries.sql)} AS series`;
  const rangeInDays = range.grain === 'day' && !whole;
  const inDays = where(duringDays(range, 'range'), environment);
  // Without an end to the range, the last event of all is in it where any is.
  const isLast = range.open && !filter.environments.length;
  const ranged = [
    rangedColumns(filter.usersApart),
    ...(isCountedBySeries(range, seriesRange) ? [] : [rangedCount]),
    ...(isLast ? [] : [rangedLast]),
  ];
  const lives: Query = {
    sql: `${rangeInDays ? `WITH (${inDays.sql}) AS in_range ` : ''}SELECT ${[
      `${page.owner} AS owned_by`,
      lifeColumns(filter.usersApart),
      ...(whole ? ['sum(unhandled) AS life_bad'] : []),
      ...(rangeInDays ? ranged : []),
      ...(isDaily ? [series] : []),
    ].join(', ')} FROM issue_lives WHERE ${scope.sql} GROUP BY owned_by`,
    params: { ...scope.params, ...(rangeInDays ? inDays.params : {}), ...(isDaily ? inSeries.params : {}) },
  };
  const inHours = where(duringHours(range, 'range'), environment);
  const rangeInHours = range.grain !== 'day' && !whole;
  const halves = filter.halves ? recentHalf(range) : undefined;
  const inHalf = where(halves?.hours ?? nothing, environment);
  const columns = [
    ...(rangeInHours ? ranged : []),
    ...(halves ? [`sumIf(events, ${inHalf.sql}) AS recent`] : []),
    ...(isDaily ? [] : [series]),
  ];
  if (!columns.length) return [lives];
  // Hours before all of these ranges are not read.
  const earliestMs = Math.min(
    isDaily ? Infinity : seriesRange.startMs,
    rangeInHours ? range.startMs : Infinity,
    halves?.startMs ?? Infinity,
  );
  const read = where(page, {
    conditions: ['hour >= {readStart:UInt32}'],
    params: { readStart: startSecond(earliestMs) },
  });
  const hours: Query = {
    sql: `${rangeInHours ? `WITH (${inHours.sql}) AS in_range ` : ''}SELECT ${page.owner} AS owned_by, ${columns.join(', ')}
      FROM issue_hours WHERE ${read.sql} GROUP BY owned_by`,
    params: {
      ...read.params,
      ...(isDaily ? {} : inSeries.params),
      ...inHalf.params,
      ...(rangeInHours ? inHours.params : {}),
    },
  };
  return [lives, hours];
}

function lifeNumbers(page: PageScope): Query {
  const scope = where(page);
  return {
    sql: `SELECT ${page.owner} AS owned_by, ${lifeColumns(false)} FROM issue_lives WHERE ${scope.sql} GROUP BY owned_by`,
    params: scope.params,
  };
}

function eventNumbers(page: PageScope, filter: NumbersFilter, seriesRange: TimeRange): Query {
  const earliestMs = Math.min(filter.range.startMs, seriesRange.startMs);
  const earliest: SqlPart = {
    conditions: [`timestamp >= ${moment('earliest')}`],
    params: { earliest: earliestMs },
  };
  const matching = where(
    page,
    earliest,
    inEnvironments(filter.environments),
    rowConditions(filter.rows, {
      projectIds: filter.projects.map((project) => project.id),
      fromMs: earliestMs,
      nowMs: filter.nowMs,
    }),
  );
  const halves = filter.halves ? recentHalf(filter.range) : undefined;
  const inHalf = where(halves?.events ?? nothing);
  const ranged = where(within(filter.range, 'range', 'timestamp'));
  const inSeries = where(within(seriesRange, 'series', 'timestamp'));
  const series = seriesOf(seriesRange, 'toUnixTimestamp64Milli(timestamp)', 'toUInt64(1)', inSeries.sql);
  return {
    sql: `WITH (${ranged.sql}) AS in_range
      SELECT ${page.owner} AS owned_by, countIf(in_range) AS n, countIf(in_range AND handled = 0) AS bad,
        uniqIf(user, in_range AND user != '') AS u, toUnixTimestamp64Milli(maxIf(timestamp, in_range)) AS last,
        ${halves ? `countIf(${inHalf.sql}) AS recent,` : ''}
        ${series} AS series
      FROM errors WHERE ${matching.sql} GROUP BY owned_by`,
    params: { ...matching.params, ...ranged.params, ...inSeries.params, ...inHalf.params },
  };
}
