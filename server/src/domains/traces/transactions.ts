/** All transactions of a range, ranked, with how they did in the period before. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { condition, inScope, named, sourceOf, type TransactionScope } from './measures.ts';

export const transactionSorts = [
  'total',
  'count',
  'failure',
  'apdex',
  'users',
  'p50',
  'p75',
  'p95',
  'p99',
  'name',
] as const;
export type TransactionSort = (typeof transactionSorts)[number];

export interface TransactionsRequest extends TransactionScope {
  readonly range: TimeRange;
  /** Part of the name, any case; '' for all. */
  readonly text: string;
  readonly sort: TransactionSort;
  readonly limit: number;
  readonly offset: number;
}

export interface TransactionKey {
  readonly projectId: number;
  readonly transaction: string;
  readonly op: string;
}

export interface Measures {
  readonly count: number;
  readonly failed: number;
  /** Within the time that satisfies, and within four times that. */
  readonly satisfied: number;
  readonly tolerated: number;
  readonly totalUs: number;
  readonly users: number;
  /** µs, of `percentiles`. */
  readonly durations: readonly number[];
  /** How long the period was, ms. */
  readonly periodMs: number;
}

export interface ListedTransaction extends TransactionKey {
  readonly now: Measures;
  /** Undefined when there was none. */
  readonly before: Measures | undefined;
}

export interface TransactionList {
  readonly rows: readonly ListedTransaction[];
  /** Whether there are more behind these. */
  readonly more: boolean;
  /** Of all transactions that fulfil the filter. */
  readonly totalUs: number;
}

interface RankedRow extends TransactionKey {
  readonly all_us: number;
}

interface MeasuredRow extends TransactionKey {
  readonly n: number;
  readonly bad: number;
  readonly fast: number;
  readonly fair: number;
  readonly us: number;
  readonly u: number;
  readonly d: readonly (number | null)[];
  readonly before_n: number;
  readonly before_bad: number;
  readonly before_fast: number;
  readonly before_fair: number;
  readonly before_us: number;
  readonly before_u: number;
  readonly before_d: readonly (number | null)[];
}

/** The period of the same length before the range, as far as whole rows of the source allow. */
export function periodBefore({ startMs, endMs, grain }: TimeRange): {
  readonly startMs: number;
  readonly periodMs: number;
} {
  const grainMs = { ms: 1, hour: 3_600_000, day: 86_400_000 }[grain];
  const periodMs = Math.ceil((endMs - startMs) / grainMs) * grainMs;
  return { startMs: startMs - periodMs, periodMs };
}

const keyColumns = 'project_id AS projectId, transaction, op';
const keyOf = ({ projectId, transaction, op }: TransactionKey): string => JSON.stringify([projectId, transaction, op]);

export async function listTransactions(events: Events, request: TransactionsRequest): Promise<TransactionList> {
  if (!request.projectIds.length) return { rows: [], more: false, totalUs: 0 };
  const { range, text, limit, offset } = request;
  const source = sourceOf(range.grain);
  const order: Readonly<Record<TransactionSort, string>> = {
    total: `sum(${source.totalUs}) DESC`,
    count: `sum(${source.count}) DESC`,
    failure: `sum(${source.failed}) / sum(${source.count}) DESC`,
    apdex: `(sum(${source.satisfied}) + sum(${source.tolerated}) / 2) / sum(${source.count}) ASC`,
    users: `${source.users('1')} DESC`,
    p50: `${source.durations('1')}[1] DESC`,
    p75: `${source.durations('1')}[2] DESC`,
    p95: `${source.durations('1')}[3] DESC`,
    p99: `${source.durations('1')}[4] DESC`,
    name: 'transaction ASC',
  };
  const current = source.during('range', range.startMs, range.open ? undefined : range.endMs);
  const scope = where(...source.base, ...inScope(request), named(text), current);
  // Sketches and users are most of what a row weighs: they are merged for the page alone, unless they are the order.
  const ranked = await events.query<RankedRow>(
    `SELECT ${keyColumns}, sum(sum(${source.totalUs})) OVER () AS all_us FROM ${source.table} WHERE ${scope.sql}
     GROUP BY project_id, transaction, op ORDER BY ${order[request.sort]}, transaction, op, project_id
     LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
    { ...scope.params, limit: limit + 1, offset },
  );
  const page = ranked.slice(0, limit);
  const measured = await measure(events, request, page);
  return {
    rows: page.flatMap((row) => {
      const { projectId, transaction, op } = row;
      const found = measured.get(keyOf(row));
      return found ? [{ projectId, transaction, op, ...found }] : [];
    }),
    more: ranked.length > limit,
    totalUs: ranked[0]?.all_us ?? 0,
  };
}

type Pair = Pick<ListedTransaction, 'now' | 'before'>;

/** Both periods of some transactions. */
export async function measure(
  events: Events,
  request: TransactionScope & { readonly range: TimeRange },
  keys: readonly TransactionKey[],
): Promise<ReadonlyMap<string, Pair>> {
  if (!keys.length) return new Map();
  const { range } = request;
  const source = sourceOf(range.grain);
  const earlier = periodBefore(range);
  const current = where(source.during('range', range.startMs));
  const both = source.during('read', earlier.startMs, range.open ? undefined : range.endMs);
  const scope = where(
    ...source.base,
    ...inScope(request),
    both,
    condition('transaction IN {names:Array(String)}', { names: [...new Set(keys.map((key) => key.transaction))] }),
  );
  const sums = (prefix: string, when: string): string =>
    `sumIf(${source.count}, ${when}) AS ${prefix}n, sumIf(${source.failed}, ${when}) AS ${prefix}bad,
     sumIf(${source.satisfied}, ${when}) AS ${prefix}fast, sumIf(${source.tolerated}, ${when}) AS ${prefix}fair,
     sumIf(${source.totalUs}, ${when}) AS ${prefix}us, ${source.users(when)} AS ${prefix}u, ${source.durations(when)} AS ${prefix}d`;
  const rows = await events.query<MeasuredRow>(
    `WITH (${current.sql}) AS in_range
     SELECT ${keyColumns}, ${sums('', 'in_range')}, ${sums('before_', 'NOT in_range')}
     FROM ${source.table} WHERE ${scope.sql} GROUP BY project_id, transaction, op`,
    { ...scope.params, ...current.params },
  );
  const periodMs = range.endMs - range.startMs;
  return new Map(
    rows.map((row) => [keyOf(row), { now: nowOf(row, periodMs), before: beforeOf(row, earlier.periodMs) }]),
  );
}

const nowOf = (row: MeasuredRow, periodMs: number): Measures => ({
  count: row.n,
  failed: row.bad,
  satisfied: row.fast,
  tolerated: row.fair,
  totalUs: row.us,
  users: row.u,
  durations: row.d.map((us) => us ?? 0),
  periodMs,
});

const beforeOf = (row: MeasuredRow, periodMs: number): Measures | undefined =>
  row.before_n === 0
    ? undefined
    : {
        count: row.before_n,
        failed: row.before_bad,
        satisfied: row.before_fast,
        tolerated: row.before_fair,
        totalUs: row.before_us,
        users: row.before_u,
        durations: row.before_d.map((us) => us ?? 0),
        periodMs,
      };

/** One transaction, of all its ops unless one is named; undefined when it was not seen in the range. */
export async function measureOne(
  events: Events,
  request: TransactionScope & { readonly range: TimeRange },
  key: TransactionKey,
): Promise<Pair | undefined> {
  const found = (await measure(events, { ...request, projectIds: [key.projectId] }, [key])).get(keyOf(key));
  return found && found.now.count > 0 ? found : undefined;
}
