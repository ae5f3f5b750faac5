/**
 * Counts, users, first and last seen and the series for the issues of a page.
 *
 * Whole hours are answered by `issue_hours`, which is ordered by hash, so that a page reads only its own rows. Search
 * terms about events and ranges that begin within an hour need the events themselves; the life of the issues then
 * comes from the aggregate in a query of its own. The queries are flat because planning one costs as much as running it.
 */
import { compileEventFilter, isEventTerm, type TimeRange } from '../../search/index.ts';
import type { IssueFilter, IssueNumbers, IssueRow, IssueStores, LifeCounts } from '../types.ts';
import { ownersOf } from './rows.ts';
import { bucketIndex, inEnvironments, inProjects, moment, type SqlPart, where, withHashes } from './scope.ts';

type NumbersFilter = Pick<IssueFilter, 'environments' | 'range' | 'terms' | 'nowMs' | 'signal'>;

interface RangedRow {
  readonly issue: number;
  readonly n: number;
  readonly bad: number;
  readonly u: number;
  readonly first: number;
  readonly last: number;
  readonly series: readonly [readonly number[], readonly number[]];
}

interface LifeRow {
  readonly issue: number;
  readonly life_n: number;
  readonly life_u: number;
  readonly life_first: number;
  readonly life_last: number;
}

interface Query {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Issues without an event within the filter are not in the answer. */
export async function numbersOf(
  { state, events }: IssueStores,
  issues: readonly IssueRow[],
  filter: NumbersFilter,
  seriesRange: TimeRange = filter.range,
): Promise<Map<number, IssueNumbers>> {
  if (!issues.length) return new Map();
  const page = await scopeOf(state, issues);
  const byEvents =
    filter.range.grain === 'ms' || seriesRange.grain === 'ms' || filter.terms.some((term) => isEventTerm(term));
  // Nothing of these issues lies outside the range: then it is their life as well.
  const whole =
    !byEvents &&
    !filter.environments.length &&
    filter.range.open &&
    issues.every((issue) => issue.firstSeen >= filter.range.startMs);
  const ranged = byEvents ? eventNumbers(page, filter, seriesRange) : hourNumbers(page, filter, seriesRange, whole);
  const options = { signal: filter.signal };
  const life = byEvents ? lifeNumbers(page) : undefined;
  const [rows, lifeRows] = await Promise.all([
    events.query<RangedRow & Partial<LifeRow>>(ranged.sql, ranged.params, options),
    life ? events.query<LifeRow>(life.sql, life.params, options) : undefined,
  ]);
  const lives = lifeRows && new Map(lifeRows.map((row) => [row.issue, row]));
  const numbers = new Map<number, IssueNumbers>();
  for (const row of rows) if (row.n) numbers.set(row.issue, toNumbers(row, lives?.get(row.issue) ?? row));
  return numbers;
}

function toNumbers(row: RangedRow, life: Partial<LifeRow>): IssueNumbers {
  const [indexes, counts] = row.series;
  return {
    count: row.n,
    userCount: row.u,
    firstSeen: row.first,
    lastSeen: row.last,
    series: new Map(indexes.map((index, at) => [index, counts[at] ?? 0])),
    unhandled: row.bad > 0,
    lifetime: {
      count: life.life_n ?? row.n,
      userCount: life.life_u ?? row.u,
      firstSeen: life.life_first ?? row.first,
      lastSeen: life.life_last ?? row.last,
    },
  };
}

/** Counts over the life of issues alone: what decides whether an issue passes, before the rest is asked. */
export async function lifetimesOf(
  { state, events }: IssueStores,
  issues: readonly IssueRow[],
  signal: AbortSignal | undefined,
): Promise<Map<number, LifeCounts>> {
  const { sql, params } = lifeNumbers(await scopeOf(state, issues));
  const rows = await events.query<LifeRow>(sql, params, { signal });
  return new Map(rows.map((row) => [row.issue, { count: row.life_n, userCount: row.life_u }]));
}

interface PageScope extends SqlPart {
  /** The issue that owns the row's hash, as an expression. */
  readonly issue: string;
}

async function scopeOf(state: IssueStores['state'], issues: readonly IssueRow[]): Promise<PageScope> {
  const owners = await ownersOf(
    state,
    issues.map((issue) => issue.id),
  );
  const keys = [...owners.keys()];
  const hashes = [...new Set(keys.map((key) => key.slice(key.indexOf(':') + 1)))];
  const projectIds = [...new Set(issues.map((issue) => issue.projectId))];
  // The same hash in two projects belongs to two issues; then the project must decide too, which costs more.
  const alone = projectIds.length === 1;
  const key = alone ? 'group_hash' : "concat(toString(project_id), ':', group_hash)";
  const scope = where(inProjects(projectIds), withHashes(hashes));
  return {
    issue: `transform(${key}, {owned:Array(String)}, {issues:Array(UInt64)}, toUInt64(0))`,
    conditions: [scope.sql],
    params: { ...scope.params, owned: alone ? hashes : keys, issues: [...owners.values()] },
  };
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

const lifeColumns = `sum(events) AS life_n, uniqMerge(users) AS life_u,
  toUnixTimestamp64Milli(min(first_seen)) AS life_first, toUnixTimestamp64Milli(max(last_seen)) AS life_last`;

function hourNumbers(page: PageScope, filter: NumbersFilter, seriesRange: TimeRange, whole: boolean): Query {
  const environment = inEnvironments(filter.environments);
  const ranged = where(within(filter.range, 'range', 'hour'), environment);
  const inSeries = where(within(seriesRange, 'series', 'hour'), environment);
  const index = bucketIndex(seriesRange, 'toInt64(toUnixTimestamp(hour)) * 1000');
  const series = `sumMapIf([${index}], [events], ${inSeries.sql}) AS series`;
  const counts = whole
    ? `sum(events) AS n, sum(unhandled) AS bad, uniqMerge(users) AS u,
       toUnixTimestamp64Milli(min(first_seen)) AS first, toUnixTimestamp64Milli(max(last_seen)) AS last`
    : `sumIf(events, in_range) AS n, sumIf(unhandled, in_range) AS bad, uniqMergeIf(users, in_range) AS u,
       toUnixTimestamp64Milli(minIf(first_seen, in_range)) AS first,
       toUnixTimestamp64Milli(maxIf(last_seen, in_range)) AS last, ${lifeColumns}`;
  const scope = where(page);
  return {
    sql: `WITH (${whole ? '1' : ranged.sql}) AS in_range
      SELECT ${page.issue} AS issue, ${counts}, ${series} FROM issue_hours WHERE ${scope.sql} GROUP BY issue`,
    params: { ...scope.params, ...ranged.params, ...inSeries.params },
  };
}

function lifeNumbers(page: PageScope): Query {
  const scope = where(page);
  return {
    sql: `SELECT ${page.issue} AS issue, ${lifeColumns} FROM issue_hours WHERE ${scope.sql} GROUP BY issue`,
    params: scope.params,
  };
}

function eventNumbers(page: PageScope, filter: NumbersFilter, seriesRange: TimeRange): Query {
  const earliest: SqlPart = {
    conditions: [`timestamp >= ${moment('earliest')}`],
    params: { earliest: Math.min(filter.range.startMs, seriesRange.startMs) },
  };
  const matching = where(
    page,
    earliest,
    inEnvironments(filter.environments),
    compileEventFilter(filter.terms, filter.nowMs),
  );
  const ranged = where(within(filter.range, 'range', 'timestamp'));
  const inSeries = where(within(seriesRange, 'series', 'timestamp'));
  const index = bucketIndex(seriesRange, 'toUnixTimestamp64Milli(timestamp)');
  return {
    sql: `WITH (${ranged.sql}) AS in_range
      SELECT ${page.issue} AS issue, countIf(in_range) AS n, countIf(in_range AND handled = 0) AS bad,
        uniqIf(user, in_range AND user != '') AS u, toUnixTimestamp64Milli(minIf(timestamp, in_range)) AS first,
        toUnixTimestamp64Milli(maxIf(timestamp, in_range)) AS last,
        sumMapIf([${index}], [toUInt64(1)], ${inSeries.sql}) AS series
      FROM errors WHERE ${matching.sql} GROUP BY issue`,
    params: { ...matching.params, ...ranged.params, ...inSeries.params },
  };
}
