/** Hashes in the order of their events: from the daily or hourly aggregate, or, with search terms, from the events. */
import { compileEventFilter, isEventTerm } from '../../search/index.ts';
import type { IssueFilter, IssueSort, IssueStores } from '../types.ts';
import { during, inEnvironments, inProjects, where, withHashes } from './scope.ts';

export interface RankedHash {
  readonly project_id: number;
  readonly group_hash: string;
}

export interface RankingRequest extends IssueFilter {
  readonly sort: IssueSort;
  /** Only these hashes. */
  readonly hashes?: readonly string[] | undefined;
  readonly limit: number;
  readonly offset: number;
}

export async function rankHashes(
  { events }: Pick<IssueStores, 'events'>,
  request: RankingRequest,
): Promise<readonly RankedHash[]> {
  if (!request.projects.length || request.hashes?.length === 0) return [];
  const source = chooseSource(request);
  const scope = where(
    inProjects(request.projects.map((project) => project.id)),
    request.hashes ? withHashes(request.hashes) : { conditions: [], params: {} },
    inEnvironments(request.environments),
    during(request.range, source.time),
    source.terms ? compileEventFilter(request.terms, request.nowMs) : { conditions: [], params: {} },
  );
  return events.query<RankedHash>(
    `SELECT project_id, group_hash FROM ${source.table} WHERE ${scope.sql}
     GROUP BY project_id, group_hash ORDER BY ${source.orders[request.sort]} DESC, group_hash
     LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, limit: request.limit, offset: request.offset },
    { signal: request.signal },
  );
}

interface Source {
  readonly table: string;
  readonly time: string;
  readonly terms: boolean;
  readonly orders: Readonly<Record<IssueSort, string>>;
}

function chooseSource(request: RankingRequest): Source {
  if (request.range.grain === 'ms' || request.terms.some(isEventTerm)) {
    return {
      table: 'errors',
      time: 'timestamp',
      terms: true,
      orders: { date: 'max(timestamp)', new: 'min(timestamp)', freq: 'count()', user: "uniqIf(user, user != '')" },
    };
  }
  // The daily one has no users and no times; without user states it ranks everything several times faster.
  if (request.range.grain === 'day' && request.sort === 'freq' && !request.hashes) {
    const freq = 'sum(events)';
    return { table: 'issue_days', time: 'day', terms: false, orders: { date: freq, new: freq, freq, user: freq } };
  }
  return {
    table: 'issue_hours',
    time: 'hour',
    terms: false,
    orders: { date: 'max(last_seen)', new: 'min(first_seen)', freq: 'sum(events)', user: 'uniqMerge(users)' },
  };
}
