/**
 * Counts, users, first and last seen and the series for the issues of a page.
 *
 * Whole hours are answered by `issue_hours`, which is ordered by hash, so that a page reads only its own rows. Search
 * terms about events and ranges that begin within an hour need the events themselves; the life of the issues then
 * comes from the aggregate in a query of its own. The queries are flat because planning one costs as much as running it.
 */
import { compileEventFilter, isEventTerm, type TimeRange } from '../../search/index.ts';
import type { IssueFilter, IssueNumbers, IssueRow, IssueStores, LifeCounts } from '../types.ts';
import { hashKey, ownersOf } from './rows.ts';
import {
  duringHours,
  hourMillis,
  inEnvironments,
  inProjects,
  moment,
  seriesOf,
  type SqlPart,
  toSeries,
  where,
  withHashes,
} from './scope.ts';

type NumbersFilter = Pick<IssueFilter, 'environments' | 'range' | 'terms' | 'nowMs' | 'signal'>;

/** The issue, or its only hash. */
type OwnerKey = number | string;

interface RangedRow {
  readonly owned_by: OwnerKey;
  readonly n: number;
  readonly bad: number;
  readonly u: number;
  readonly first: number;
  readonly last: number;
  readonly series: readonly number[];
}

interface LifeRow {
  readonly owned_by: OwnerKey;
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
  const lives = lifeRows && new Map(lifeRows.map((row) => [row.owned_by, row]));
  const numbers = new Map<number, IssueNumbers>();
  for (const row of rows) {
    const issue = page.issueOf(row.owned_by);
    if (row.n && issue !== undefined) numbers.set(issue, toNumbers(row, lives?.get(row.owned_by) ?? row));
  }
  return numbers;
}

function toNumbers(row: RangedRow, life: Partial<LifeRow>): IssueNumbers {
  return {
    count: row.n,
    userCount: row.u,
    firstSeen: row.first,
    lastSeen: row.last,
    series: toSeries(row.series),
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
  const page = await scopeOf(state, issues);
  const { sql, params } = lifeNumbers(page);
  const rows = await events.query<LifeRow>(sql, params, { signal });
  return new Map(
    rows.flatMap((row) => {
      const issue = page.issueOf(row.owned_by);
      return issue === undefined ? [] : [[issue, { count: row.life_n, userCount: row.life_u }] as const];
    }),
  );
}

interface PageScope extends SqlPart {
  /** What stands for the issue that owns the row's hash, as an expression. */
  readonly owner: string;
  issueOf(owner: OwnerKey): number | undefined;
}

async function scopeOf(state: IssueStores['state'], issues: readonly IssueRow[]): Promise<PageScope> {
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
  const ranged = where(duringHours(filter.range, 'range'), environment);
  const same = !whole && isSameRange(filter.range, seriesRange);
  const inSeries = same ? ranged : where(duringHours(seriesRange, 'series'), environment);
  const series = `${seriesOf(seriesRange, hourMillis, 'events', same ? 'in_range' : inSeries.sql)} AS series`;
  const counts = whole
    ? `sum(events) AS n, sum(unhandled) AS bad, uniqMerge(users) AS u,
       toUnixTimestamp64Milli(min(first_seen)) AS first, toUnixTimestamp64Milli(max(last_seen)) AS last`
    : `sumIf(events, in_range) AS n, sumIf(unhandled, in_range) AS bad, uniqMergeIf(users, in_range) AS u,
       toUnixTimestamp64Milli(minIf(first_seen, in_range)) AS first,
       toUnixTimestamp64Milli(maxIf(last_seen, in_range)) AS last, ${lifeColumns}`;
  const scope = where(page);
  return {
    sql: `WITH (${whole ? '1' : ranged.sql}) AS in_range
      SELECT ${page.owner} AS owned_by, ${counts}, ${series} FROM issue_hours WHERE ${scope.sql} GROUP BY owned_by`,
    params: { ...scope.params, ...ranged.params, ...inSeries.params },
  };
}

const isSameRange = (a: TimeRange, b: TimeRange): boolean =>
  a.startMs === b.startMs && a.endMs === b.endMs && a.open === b.open;

function lifeNumbers(page: PageScope): Query {
  const scope = where(page);
  return {
    sql: `SELECT ${page.owner} AS owned_by, ${lifeColumns} FROM issue_hours WHERE ${scope.sql} GROUP BY owned_by`,
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
  const series = seriesOf(seriesRange, 'toUnixTimestamp64Milli(timestamp)', 'toUInt64(1)', inSeries.sql);
  return {
    sql: `WITH (${ranged.sql}) AS in_range
      SELECT ${page.owner} AS owned_by, countIf(in_range) AS n, countIf(in_range AND handled = 0) AS bad,
        uniqIf(user, in_range AND user != '') AS u, toUnixTimestamp64Milli(minIf(timestamp, in_range)) AS first,
        toUnixTimestamp64Milli(maxIf(timestamp, in_range)) AS last,
        ${series} AS series
      FROM errors WHERE ${matching.sql} GROUP BY owned_by`,
    params: { ...matching.params, ...ranged.params, ...inSeries.params },
  };
}
