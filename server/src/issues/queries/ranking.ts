/** Hashes in the order of their events, from the daily aggregate or from the events themselves. */
import { compileEventFilter } from '../../search/index.ts';
import type { IssueFilter, IssueSort, IssueStores } from '../types.ts';
import { during, inEnvironments, inProjects, where } from './scope.ts';

export interface RankedHash {
  readonly project_id: number;
  readonly group_hash: string;
}

export interface BoundedHash extends RankedHash {
  /** Not less than the events, and so not less than the users, within the range. */
  readonly bound: number;
}

interface Stretch {
  readonly limit: number;
  readonly offset: number;
}

/** Grouping by the hash alone is a third faster, and with one project says the same. */
const grouping = ({ projects }: IssueFilter): { select: string; by: string } => {
  const [only] = projects;
  return only && projects.length === 1
    ? { select: `toUInt64(${only.id}) AS project_id, group_hash`, by: 'group_hash' }
    : { select: 'project_id, group_hash', by: 'project_id, group_hash' };
};

/** By events of all days that the range touches, most first. */
export async function rankByDays(
  { events }: Pick<IssueStores, 'events'>,
  filter: IssueFilter,
  { limit, offset }: Stretch,
): Promise<readonly BoundedHash[]> {
  const { range } = filter;
  const days = {
    conditions: ['day >= toDate({dayFrom:String})', ...(range.open ? [] : ['day <= toDate({dayUntil:String})'])],
    params: { dayFrom: dayOf(range.startMs), ...(range.open ? {} : { dayUntil: dayOf(range.endMs) }) },
  };
  const scope = where(
    inProjects(filter.projects.map((project) => project.id)),
    inEnvironments(filter.environments),
    days,
  );
  const { select, by } = grouping(filter);
  return events.query<BoundedHash>(
    `SELECT ${select}, sum(events) AS bound FROM issue_days WHERE ${scope.sql}
     GROUP BY ${by} ORDER BY bound DESC, group_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, limit, offset },
    { signal: filter.signal },
  );
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

const orders: Readonly<Record<IssueSort, string>> = {
  date: 'max(timestamp)',
  new: 'min(timestamp)',
  freq: 'count()',
  user: "uniqIf(user, user != '')",
};

/** By the events that fulfil the search terms. Reads all events of the range. */
export async function rankByEvents(
  { events }: Pick<IssueStores, 'events'>,
  filter: IssueFilter & { readonly sort: IssueSort },
  { limit, offset }: Stretch,
): Promise<readonly RankedHash[]> {
  const scope = where(
    inProjects(filter.projects.map((project) => project.id)),
    inEnvironments(filter.environments),
    during(filter.range),
    compileEventFilter(filter.terms, filter.nowMs),
  );
  const { select, by } = grouping(filter);
  return events.query<RankedHash>(
    `SELECT ${select} FROM errors WHERE ${scope.sql}
     GROUP BY ${by} ORDER BY ${orders[filter.sort]} DESC, group_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, limit, offset },
    { signal: filter.signal },
  );
}
