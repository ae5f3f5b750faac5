/**
 * Numbers of issues from the events themselves: what a search leaves of them, or ranges that begin within an hour. A
 * statement on the table of events costs more to plan than most of its answers cost to read, so what can be asked
 * together is: all issues of a page, whatever is asked of each of them; and, of few events, order and numbers at once.
 */
import type { SearchNode } from '@culprit/search';
import type { TimeRange } from '../../../base/time-range.ts';
import {
  during,
  inEnvironments,
  inProjects,
  moment,
  seriesOf,
  type SqlPart,
  toSeries,
  where,
} from '../../../base/sql.ts';
import { withPrefix, eventsCount, eventsCountIf, usersCount } from '../../search/index.ts';
import type { IssueFilter, IssueNumbers, IssueRow, IssueSort, IssueStores, Life } from '../types.ts';
import { middleOf, riseSql } from './halves.ts';
import { livesOf } from './lives.ts';
import { type OwnerKey, scopeOf } from './page-scope.ts';
import { grouping, type RankedHash, type Stretch, withProject } from './ranking.ts';
import { rowConditions } from './row-conditions.ts';

export interface EventsFilter extends Pick<IssueFilter, 'projects' | 'environments' | 'range' | 'nowMs' | 'signal'> {
  /** Whether the events of the second half are asked for. */
  readonly halves: boolean;
}

type Numbered = Pick<IssueRow, 'id' | 'projectId'>;

/** Issues of whose events the same is asked. */
export interface AskedAlike {
  readonly issues: readonly Numbered[];
  /** What the events must fulfil; undefined: all of them count. */
  readonly rows: SearchNode | undefined;
}

/** All but what the whole life of an issue says. */
export type EventNumbers = Omit<IssueNumbers, 'lifetime'>;

interface NumbersRow {
  readonly n: number;
  readonly bad: number;
  readonly u: number;
  readonly last: number;
  readonly recent?: number;
  readonly series: readonly number[];
}

/** Issues without an event within the filter are not in the answer. */
export async function eventNumbersOf(
  stores: IssueStores,
  groups: readonly AskedAlike[],
  filter: EventsFilter,
  seriesRange: TimeRange,
): Promise<Map<number, IssueNumbers>> {
  const issues = groups.flatMap((group) => group.issues);
  if (!issues.length) return new Map();
  const [numbers, lives] = await Promise.all([
    numbersOfPage(stores, groups, filter, seriesRange),
    livesOf(stores, issues, filter.signal),
  ]);
  return new Map([...numbers].map(([id, own]) => [id, withLife(own, lives.get(id))]));
}

export const withLife = (numbers: EventNumbers, life: Life | undefined): IssueNumbers => ({
  ...numbers,
  lifetime: life ?? { count: 0, userCount: 0, lastSeen: 0 },
});

async function numbersOfPage(
  { state, events }: IssueStores,
  groups: readonly AskedAlike[],
  filter: EventsFilter,
  seriesRange: TimeRange,
): Promise<Map<number, EventNumbers>> {
  const page = await scopeOf(
    state,
    groups.flatMap((group) => group.issues),
  );
  const { columns, read } = numbersColumns(filter, seriesRange);
  const own = await Promise.all(
    groups.map(async ({ issues, rows }, index) => {
      const scope = groups.length > 1 ? await scopeOf(state, issues) : page;
      return withPrefix(where(scope, asked(rows, filter, seriesRange)), groups.length > 1 ? `g${index}_` : '');
    }),
  );
  const scope = where(read, inEnvironments(filter.environments), {
    conditions: [`(${own.map(({ sql }) => sql).join(') OR (')})`],
    params: Object.assign({}, ...own.map(({ params }) => params)) as Record<string, unknown>,
  });
  // What stands for an issue may be named by lists, which are sent with the condition of the page.
  const owner = { conditions: [], params: page.params };
  const rows = await events.query<NumbersRow & { readonly owned_by: OwnerKey }>(
    `SELECT ${page.owner} AS owned_by, ${columns.sql} FROM errors WHERE ${scope.sql} GROUP BY owned_by HAVING n > 0`,
    { ...where(owner).params, ...scope.params, ...columns.params },
    { signal: filter.signal },
  );
  return new Map(
    rows.flatMap((row) => {
      const id = page.issueOf(row.owned_by);
      return id === undefined ? [] : [[id, toNumbers(row)] as const];
    }),
  );
}

/** A hash with the numbers of its events. */
export interface NumberedHash extends RankedHash {
  readonly numbers: EventNumbers;
}

/** By the events that fulfil the search, as `rankByEvents`, with their numbers. */
export async function rankWithNumbers(
  { events }: Pick<IssueStores, 'events'>,
  filter: EventsFilter & { readonly sort: Exclude<IssueSort, 'new'>; readonly rows: SearchNode | undefined },
  seriesRange: TimeRange,
  { limit, offset }: Stretch,
): Promise<readonly NumberedHash[]> {
  const { columns, read } = numbersColumns(filter, seriesRange);
  const scope = where(
    inProjects(filter.projects.map((project) => project.id)),
    inEnvironments(filter.environments),
    read,
    asked(filter.rows, filter, seriesRange),
  );
  const by = grouping(filter);
  const rows = await events.query<NumbersRow & RankedHash>(
    `SELECT ${by}, ${columns.sql} FROM errors WHERE ${scope.sql} GROUP BY ${by} HAVING n > 0
     ORDER BY ${orders[filter.sort]} DESC, group_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, ...columns.params, limit, offset },
    { signal: filter.signal },
  );
  return withProject(filter, rows).map((row) => ({
    project_id: row.project_id,
    group_hash: row.group_hash,
    numbers: toNumbers(row),
  }));
}

const orders = { date: 'last', freq: 'n', user: 'u', trends: riseSql('n', 'recent') } as const;

const toNumbers = ({ n, bad, u, last, recent = 0, series }: NumbersRow): EventNumbers => ({
  count: n,
  userCount: u,
  lastSeen: last,
  recent,
  series: toSeries(series),
  unhandled: bad > 0,
});

const earliestOf = ({ range }: EventsFilter, seriesRange: TimeRange): number =>
  Math.min(range.startMs, seriesRange.startMs);

function asked(rows: SearchNode | undefined, filter: EventsFilter, seriesRange: TimeRange): SqlPart {
  return rowConditions(rows, {
    projectIds: filter.projects.map((project) => project.id),
    fromMs: earliestOf(filter, seriesRange),
    nowMs: filter.nowMs,
  });
}

interface Columns {
  readonly columns: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> };
  /** What must be read for them. */
  readonly read: SqlPart;
}

function numbersColumns(filter: EventsFilter, seriesRange: TimeRange): Columns {
  const { range } = filter;
  const inSeries = where(during(seriesRange, 'timestamp', 'series'));
  const inHalf = where(during({ ...range, startMs: middleOf(range) }, 'timestamp', 'half'));
  const series = seriesOf(seriesRange, 'toUnixTimestamp64Milli(timestamp)', '1 + stands_for', inSeries.sql);
  const within = isWithin(seriesRange, range);
  const inRange = where(during(range));
  const earliest: SqlPart = {
    conditions: [`timestamp >= ${moment('earliest')}`],
    params: { earliest: earliestOf(filter, seriesRange) },
  };
  // Each condition that need not be asked of an event makes the statement cheaper to plan and to run.
  const counts = within
    ? [
        `${eventsCount} AS n`,
        `${eventsCountIf('handled = 0')} AS bad`,
        `${usersCount()} AS u`,
        'toUnixTimestamp64Milli(max(timestamp)) AS last',
      ]
    : [
        `${eventsCountIf(inRange.sql)} AS n`,
        `${eventsCountIf(`${inRange.sql} AND handled = 0`)} AS bad`,
        `${usersCount(inRange.sql)} AS u`,
        `toUnixTimestamp64Milli(maxIf(timestamp, ${inRange.sql})) AS last`,
      ];
  return {
    columns: {
      sql: [
        ...counts,
        ...(filter.halves ? [`${eventsCountIf(inHalf.sql)} AS recent`] : []),
        `${series} AS series`,
      ].join(', '),
      params: { ...inSeries.params, ...inRange.params, ...(filter.halves ? inHalf.params : {}) },
    },
    read: within ? during(range) : earliest,
  };
}

/** Whether what lies in the one lies in the other. */
const isWithin = (inner: TimeRange, outer: TimeRange): boolean =>
  inner.startMs >= outer.startMs && (outer.open || (!inner.open && inner.endMs <= outer.endMs));
