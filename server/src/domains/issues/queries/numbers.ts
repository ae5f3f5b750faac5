/**
 * Counts, users, last seen and the series for the issues of a page, where nothing is asked of their events.
 *
 * `issue_lives` has a row a day and `issue_hours` one an hour, both ordered by hash, so that a page reads only its own
 * rows. The life of the issues and ranges that begin at a full day come from the former, the series and shorter ranges
 * from the latter. Search terms about events and ranges that begin within an hour need the events themselves
 * (event-numbers.ts). The queries run side by side and are flat, because planning one costs as much as running it; each
 * column adds to both, so what follows from the others is not asked for.
 */
import type { SearchNode } from '@culprit/search';
import type { TimeRange } from '../../../base/time-range.ts';
import type { IssueNumbers, IssueRow, IssueStores } from '../types.ts';
import { middleOf } from './halves.ts';
import { eventNumbersOf, type EventsFilter } from './event-numbers.ts';
import { lifeColumns } from './lives.ts';
import { type OwnerKey, type PageScope, scopeOf } from './page-scope.ts';
import { readUsers, type SeenSince, toldApartSql } from './users/user-set.ts';
import {
  dayMillis,
  duringDays,
  duringHours,
  hourMillis,
  inEnvironments,
  seriesOf,
  type SqlPart,
  startSecond,
  toSeries,
  where,
} from '../../../base/sql.ts';

export interface NumbersFilter extends EventsFilter {
  /** What events must fulfil; undefined: all of them count. */
  readonly rows: SearchNode | undefined;
  /** Whether users are told apart, so that more of them can be counted in; for issues that get events. */
  readonly usersApart?: SeenSince | undefined;
}

/** `n` is left out where the series has all events of the range, `last` where nothing can lie behind the range. */
interface RangedRow {
  readonly owned_by: OwnerKey;
  readonly n?: number;
  readonly bad: number;
  readonly u: number;
  readonly u_set?: string;
  readonly last?: number;
}

/** `life_bad` is there where nothing but the life is asked for. */
interface LifeRow {
  readonly owned_by: OwnerKey;
  readonly life_n: number;
  readonly life_u: number;
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
  stores: IssueStores,
  issues: readonly NumberedIssue[],
  filter: NumbersFilter,
  seriesRange: TimeRange = filter.range,
): Promise<Map<number, IssueNumbers>> {
  if (!issues.length) return new Map();
  if (isOfEvents(filter, seriesRange))
    return eventNumbersOf(stores, [{ issues, rows: filter.rows }], filter, seriesRange);
  const { state, events } = stores;
  const page = await scopeOf(state, issues);
  // Nothing of these issues lies outside the range: then their life is what it holds.
  const whole =
    !filter.environments.length &&
    filter.range.open &&
    issues.every((issue) => issue.firstSeen >= filter.range.startMs);
  const queries = aggregateNumbers(page, filter, seriesRange, whole);
  const answers = await Promise.all(
    queries.map(({ sql, params }) => events.query<NumbersRow>(sql, params, { signal: filter.signal })),
  );
  const merged = new Map<OwnerKey, NumbersRow>();
  for (const row of answers.flat()) merged.set(row.owned_by, { ...merged.get(row.owned_by), ...row });
  const numbers = new Map<number, IssueNumbers>();
  for (const row of merged.values()) {
    const issue = page.issueOf(row.owned_by);
    const own = toNumbers(row, whole, !whole && isCountedBySeries(filter.range, seriesRange));
    if (own && issue !== undefined) numbers.set(issue, own);
  }
  return numbers;
}

/** Whether no aggregate has what is asked. */
const isOfEvents = ({ rows, range }: NumbersFilter, seriesRange: TimeRange): boolean =>
  rows !== undefined || range.grain === 'ms' || seriesRange.grain === 'ms';

/** Undefined without an event in the range. */
function toNumbers(row: NumbersRow, whole: boolean, bySeries: boolean): IssueNumbers | undefined {
  const { life_n = 0, life_bad = 0, life_u = 0, life_last = 0, life_set, u_set } = row;
  const lifetime = { count: life_n, userCount: life_u, lastSeen: life_last };
  const { recent = 0, series = [] } = row;
  const { n = bySeries ? sumOf(series) : 0, bad = 0, u = 0, last = life_last } = row;
  const ranged = whole ? lifetime : { count: n, userCount: u, lastSeen: last };
  if (!ranged.count) return undefined;
  const users = readUsers(life_set);
  const rangedUsers = whole ? users : readUsers(u_set);
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

const dayMs = 86_400_000;
const nothing: SqlPart = { conditions: [], params: {} };

const rangedColumns = (usersApart: SeenSince | undefined): string =>
  `sumIf(unhandled, in_range) AS bad, ${
    usersApart === undefined
      ? 'uniqMergeIf(users, in_range) AS u'
      : toldApartSql('uniqMergeStateIf(users, in_range)', 'u', 'u_set', usersApart)
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
  const half = filter.halves ? { ...range, startMs: middleOf(range) } : undefined;
  const inHalf = where(half ? duringHours(half, 'half') : nothing, environment);
  const columns = [
    ...(rangeInHours ? ranged : []),
    ...(half ? [`sumIf(events, ${inHalf.sql}) AS recent`] : []),
    ...(isDaily ? [] : [series]),
  ];
  if (!columns.length) return [lives];
  // Hours before all of these ranges are not read.
  const earliestMs = Math.min(
    isDaily ? Infinity : seriesRange.startMs,
    rangeInHours ? range.startMs : Infinity,
    half?.startMs ?? Infinity,
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
