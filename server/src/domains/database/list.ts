/** Queries of a range, ranked. */
import type { Events } from '../../ports/events/events.ts';
import type { SamplingLimits } from '../explore/index.ts';
import { type QueriesScope, readAllQueries } from './spans.ts';

export const querySorts = ['total', 'count', 'p50', 'p95'] as const;
export type QuerySort = (typeof querySorts)[number];

export interface QueriesRequest extends QueriesScope {
  /** Part of the statement, any case; '' for all. */
  readonly text: string;
  readonly sort: QuerySort;
  readonly limit: number;
  readonly offset: number;
}

export interface ListedQuery {
  readonly projectId: number;
  readonly hash: string;
  readonly statement: string;
  readonly op: string;
  readonly service: string;
  /** '' where nobody says. */
  readonly system: string;
  readonly count: number;
  readonly totalUs: number;
  readonly p50Us: number;
  readonly p95Us: number;
  /** How many transactions call it, and the one that calls it most. */
  readonly transactions: number;
  readonly transaction: string;
}

export interface QueryList {
  readonly rows: readonly ListedQuery[];
  /** Whether there are more behind these. */
  readonly more: boolean;
  /** Of all queries that fulfil the filter. */
  readonly totalUs: number;
  /** Of the spans that were read, 0 to 1; undefined for all. */
  readonly share: number | undefined;
}

const orders: Readonly<Record<QuerySort, string>> = {
  total: 'us DESC',
  count: 'n DESC',
  p50: 'd[1] DESC',
  p95: 'd[2] DESC',
};
/** Percentiles of fewer sampled calls rank nothing. */
const leastRanked = 5;

/** Columns of the table have the plain names. */
interface Row {
  readonly projectId: number;
  readonly hash: string;
  readonly statement: string;
  readonly operation: string;
  readonly program: string;
  readonly system: string;
  readonly n: number;
  readonly us: number;
  readonly d: readonly (number | null)[];
  readonly callers: number;
  readonly caller: string;
  readonly allUs: number;
}

export async function listQueries(events: Events, request: QueriesRequest, limits: SamplingLimits): Promise<QueryList> {
  if (!request.projectIds.length) return { rows: [], more: false, totalUs: 0, share: undefined };
  const { text, sort, limit, offset } = request;
  const read = await readAllQueries(events, request, text, limits);
  const isPercentile = sort === 'p50' || sort === 'p95';
  const ranked = read.share !== undefined && isPercentile ? `n >= ${leastRanked} DESC, ` : '';
  const found = await events.query<Row>(
    `SELECT project_id AS projectId, description_hash AS hash, any(description) AS statement, any(op) AS operation,
       any(service) AS program, any(attributes['db.system.name']) AS system, count() AS n, sum(duration_us) AS us,
       quantilesDD(0.01, 0.5, 0.95)(duration_us) AS d, uniqExact(transaction) AS callers,
       topK(1)(transaction)[1] AS caller, sum(us) OVER () AS allUs
     FROM spans WHERE ${read.sql} GROUP BY project_id, description_hash
     ORDER BY ${ranked}${orders[sort]}, project_id, description_hash LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...read.params, limit: limit + 1, offset },
  );
  const page = found.slice(0, limit);
  const whole = (value: number): number => Math.round(value * read.weight);
  return {
    rows: page.map((row) => ({
      projectId: row.projectId,
      hash: row.hash,
      statement: row.statement,
      op: row.operation,
      service: row.program,
      system: row.system,
      count: whole(row.n),
      totalUs: whole(row.us),
      p50Us: row.d[0] ?? 0,
      p95Us: row.d[1] ?? 0,
      transactions: row.callers,
      transaction: row.caller,
    })),
    more: found.length > limit,
    totalUs: whole(found[0]?.allUs ?? 0),
    share: read.share,
  };
}
