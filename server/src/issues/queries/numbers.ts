/**
 * Counts, users, first and last seen and the series for the issues of a page.
 *
 * Whole hours are answered by `issue_hours`, which is ordered by hash, so that a page reads only its own rows. Search
 * terms about events and ranges that begin within an hour need the events themselves; the life of the issues then
 * comes from the aggregate in a query of its own.
 */
import { compileEventFilter, isEventTerm, type TimeRange } from '../../search/index.ts';
import type { IssueFilter, IssueNumbers, IssueRow, IssueStores } from '../types.ts';
import { hashKey, ownersOf } from './rows.ts';
import { bucketIndex, inEnvironments, inProjects, moment, type SqlPart, where, withHashes } from './scope.ts';

type NumbersFilter = Pick<IssueFilter, 'environments' | 'range' | 'terms' | 'nowMs' | 'signal'>;

interface AggregateRow {
  readonly issue: number;
  readonly n: number;
  readonly u: number;
  readonly first: number;
  readonly last: number;
  readonly series: readonly [readonly number[], readonly number[]];
}

interface LifetimeRow {
  readonly issue: number;
  readonly life: number;
  readonly life_users: number;
  readonly life_first: number;
  readonly life_last: number;
}

/** Issues without an event within the filter are not in the answer. */
export async function numbersOf(
  { state, events }: IssueStores,
  issues: readonly IssueRow[],
  filter: NumbersFilter,
  seriesRange: TimeRange = filter.range,
): Promise<Map<number, IssueNumbers>> {
  if (!issues.length) return new Map();
  const owners = await ownersOf(
    state,
    issues.map((issue) => issue.id),
  );
  const scope = where(
    inProjects([...new Set(issues.map((issue) => issue.projectId))]),
    withHashes([...new Set([...owners.keys()].map((key) => key.slice(key.indexOf(':') + 1)))]),
  );
  const mapping = { keys: [...owners.keys()], issues: [...owners.values()] };
  const options = { signal: filter.signal };
  const byEvents = filter.range.grain === 'ms' || seriesRange.grain === 'ms' || filter.terms.some(isEventTerm);
  const [ranged, lifetimes, unhandled] = await Promise.all([
    byEvents
      ? events.query<AggregateRow>(...eventNumbers(scope, mapping, filter, seriesRange), options)
      : events.query<AggregateRow & LifetimeRow>(...hourNumbers(scope, mapping, filter, seriesRange), options),
    byEvents ? events.query<LifetimeRow>(...lifetimeNumbers(scope, mapping), options) : undefined,
    newestUnhandled(events, issues, owners, options.signal),
  ]);
  const lives = new Map((lifetimes ?? (ranged as (AggregateRow & LifetimeRow)[])).map((row) => [row.issue, row]));
  const numbers = new Map<number, IssueNumbers>();
  for (const row of ranged) {
    const life = lives.get(row.issue);
    if (!row.n || !life) continue;
    const [indexes, counts] = row.series;
    numbers.set(row.issue, {
      count: row.n,
      userCount: row.u,
      firstSeen: row.first,
      lastSeen: row.last,
      series: new Map(indexes.map((index, at) => [index, counts[at] ?? 0])),
      lifetime: {
        count: life.life,
        userCount: life.life_users,
        firstSeen: life.life_first,
        lastSeen: life.life_last,
      },
      unhandled: unhandled.has(row.issue),
    });
  }
  return numbers;
}

interface Scope {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

interface Mapping {
  readonly keys: readonly string[];
  readonly issues: readonly number[];
}

/** From the owner arrays to an issue, once per hash. */
const issueOf = "{issues:Array(UInt64)}[indexOf({keys:Array(String)}, concat(toString(project_id), ':', group_hash))]";

const lifetimeInner = `sum(events) AS life_n, uniqMergeState(users) AS life_u,
  min(first_seen) AS life_f, max(last_seen) AS life_l`;
const lifetimeOuter = `sum(life_n) AS life, uniqMerge(life_u) AS life_users,
  toUnixTimestamp64Milli(min(life_f)) AS life_first, toUnixTimestamp64Milli(max(life_l)) AS life_last`;
const rangedOuter = `sum(range_n) AS n, uniqMerge(range_u) AS u, toUnixTimestamp64Milli(minIf(range_f, range_n > 0)) AS first,
  toUnixTimestamp64Milli(maxIf(range_l, range_n > 0)) AS last, sumMap(range_m) AS series`;

function within(range: TimeRange, name: string, column: string): SqlPart {
  const conditions = [`${column} >= ${moment(`${name}Start`)}`];
  const params: Record<string, unknown> = { [`${name}Start`]: range.startMs };
  if (!range.open) {
    conditions.push(`${column} < ${moment(`${name}End`)}`);
    params[`${name}End`] = range.endMs;
  }
  return { conditions, params };
}

function hourNumbers(
  scope: Scope,
  mapping: Mapping,
  filter: NumbersFilter,
  seriesRange: TimeRange,
): [string, Scope['params']] {
  const environment = inEnvironments(filter.environments);
  const ranged = where(within(filter.range, 'range', 'hour'), environment);
  const inSeries = where(within(seriesRange, 'series', 'hour'), environment);
  const index = bucketIndex(seriesRange, 'toInt64(toUnixTimestamp(hour)) * 1000');
  return [
    `SELECT ${issueOf} AS issue, ${rangedOuter}, ${lifetimeOuter}
     FROM (
       SELECT project_id, group_hash, sumIf(events, in_range) AS range_n, uniqMergeStateIf(users, in_range) AS range_u,
         minIf(first_seen, in_range) AS range_f, maxIf(last_seen, in_range) AS range_l,
         sumMapIf([${index}], [events], in_series) AS range_m, ${lifetimeInner}
       FROM (SELECT *, (${ranged.sql}) AS in_range, (${inSeries.sql}) AS in_series FROM issue_hours WHERE ${scope.sql})
       GROUP BY project_id, group_hash
     )
     GROUP BY issue`,
    { ...scope.params, ...mapping, ...ranged.params, ...inSeries.params },
  ];
}

function lifetimeNumbers(scope: Scope, mapping: Mapping): [string, Scope['params']] {
  return [
    `SELECT ${issueOf} AS issue, ${lifetimeOuter}
     FROM (SELECT project_id, group_hash, ${lifetimeInner} FROM issue_hours WHERE ${scope.sql} GROUP BY project_id, group_hash)
     GROUP BY issue`,
    { ...scope.params, ...mapping },
  ];
}

function eventNumbers(
  scope: Scope,
  mapping: Mapping,
  filter: NumbersFilter,
  seriesRange: TimeRange,
): [string, Scope['params']] {
  const matching = where(compileEventFilter(filter.terms, filter.nowMs), inEnvironments(filter.environments));
  const ranged = where(within(filter.range, 'range', 'timestamp'));
  const inSeries = where(within(seriesRange, 'series', 'timestamp'));
  const index = bucketIndex(seriesRange, 'toUnixTimestamp64Milli(timestamp)');
  const earliest = { earliest: Math.min(filter.range.startMs, seriesRange.startMs) };
  return [
    `SELECT ${issueOf} AS issue, ${rangedOuter}
     FROM (
       SELECT project_id, group_hash, countIf(in_range) AS range_n, uniqStateIf(user, in_range AND user != '') AS range_u,
         minIf(timestamp, in_range) AS range_f, maxIf(timestamp, in_range) AS range_l,
         sumMapIf([${index}], [toUInt64(1)], in_series) AS range_m
       FROM (
         SELECT project_id, group_hash, timestamp, user, (${ranged.sql}) AS in_range, (${inSeries.sql}) AS in_series
         FROM errors
         WHERE ${scope.sql} AND timestamp >= ${moment('earliest')} AND ${matching.sql}
       )
       GROUP BY project_id, group_hash
     )
     GROUP BY issue`,
    { ...scope.params, ...mapping, ...matching.params, ...ranged.params, ...inSeries.params, ...earliest },
  ];
}

/** The issues whose newest event was not handled. */
export async function unhandledAmong(
  { state, events }: IssueStores,
  issues: readonly IssueRow[],
): Promise<Set<number>> {
  const ids = issues.map((issue) => issue.id);
  return newestUnhandled(events, issues, await ownersOf(state, ids), undefined);
}

/** Read at the known hash and time of each issue's newest event, so that a page costs a few small reads. */
async function newestUnhandled(
  events: IssueStores['events'],
  issues: readonly IssueRow[],
  owners: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<Set<number>> {
  const scope = where(
    inProjects([...new Set(issues.map((issue) => issue.projectId))]),
    withHashes([...new Set([...owners.keys()].map((key) => key.slice(key.indexOf(':') + 1)))]),
  );
  const rows = await events.query<{ project_id: number; group_hash: string }>(
    `SELECT project_id, group_hash FROM errors
     WHERE ${scope.sql} AND handled = 0
       AND timestamp IN (arrayMap(at -> fromUnixTimestamp64Milli(at, 'UTC'), {times:Array(Int64)}))
     GROUP BY project_id, group_hash`,
    { ...scope.params, times: [...new Set(issues.map((issue) => issue.lastSeen))] },
    { signal },
  );
  return new Set(rows.flatMap((row) => owners.get(hashKey(row.project_id, row.group_hash)) ?? []));
}
