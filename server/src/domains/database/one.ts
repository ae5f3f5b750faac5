/** One query: how it went over time, and which transactions call it. */
import type { Events } from '../../ports/events/events.ts';
import type { SamplingLimits } from '../explore/index.ts';
import { type QueryScope, readOneQuery } from './spans.ts';

export interface QueryNumbers {
  readonly count: number;
  readonly failed: number;
  readonly totalUs: number;
  /** µs, of p50, p75, p95 and p99. */
  readonly durations: readonly number[];
}

export interface QueryDetails extends QueryNumbers {
  readonly statement: string;
  readonly op: string;
  readonly system: string;
  readonly service: string;
  /** By bucket of the range; undefined where there was no call. */
  readonly series: readonly (QueryNumbers | undefined)[];
  readonly share: number | undefined;
}

type Sums = readonly [bucket: number, n: number, bad: number, us: number, d: readonly (number | null)[]];

interface Row {
  readonly n: number;
  readonly bad: number;
  readonly us: number;
  readonly d: readonly (number | null)[];
  readonly parts: readonly Sums[];
  readonly statement: string;
  readonly op: string;
  readonly service: string;
}

const levels = '0.5, 0.75, 0.95, 0.99';

/** Undefined when it was not seen in the range. */
export async function readQuery(
  events: Events,
  scope: QueryScope,
  limits: SamplingLimits,
): Promise<QueryDetails | undefined> {
  const { range } = scope;
  const read = await readOneQuery(events, scope, limits);
  // Attributes of a single span are found at once, those of all are most of what they weigh.
  const system = events.query<{ system: string }>(
    `SELECT attributes['db.system.name'] AS system FROM spans WHERE ${read.sql} LIMIT 1`,
    read.params,
  );
  const rows = events.query<Row>(
    `SELECT sum(n_) AS n, sum(bad_) AS bad, sum(us_) AS us, quantilesDDMerge(0.01, ${levels})(d_) AS d,
       groupArray((bucket, n_, bad_, us_, finalizeAggregation(d_))) AS parts,
       any(statement_) AS statement, any(op_) AS op, any(service_) AS service
     FROM (
       SELECT least(intDiv(toUnixTimestamp64Milli(started_at) - {start:Int64}, {bucketMs:Int64}), {last:Int64}) AS bucket,
         count() AS n_, countIf(failed = 1) AS bad_, sum(duration_us) AS us_,
         quantilesDDState(0.01, ${levels})(duration_us) AS d_, any(description) AS statement_, any(op) AS op_,
         any(service) AS service_
       FROM spans WHERE ${read.sql} GROUP BY bucket
     )`,
    { ...read.params, start: range.startMs, bucketMs: range.bucketMs, last: range.buckets - 1 },
  );
  const [[row], [said]] = await Promise.all([rows, system]);
  if (!row || row.n === 0) return undefined;
  const byBucket = new Map(row.parts.map((part) => [part[0], part]));
  const { statement, op, service } = row;
  return {
    statement,
    op,
    system: said?.system ?? '',
    service,
    ...numbersOf([0, row.n, row.bad, row.us, row.d], read.weight),
    series: Array.from({ length: range.buckets }, (_, bucket) => {
      const part = byBucket.get(bucket);
      return part && numbersOf(part, read.weight);
    }),
    share: read.share,
  };
}

const numbersOf = ([, n, bad, us, d]: Sums, weight: number): QueryNumbers => ({
  count: Math.round(n * weight),
  failed: Math.round(bad * weight),
  totalUs: Math.round(us * weight),
  durations: d.map((value) => value ?? 0),
});

export interface QueryCaller {
  readonly transaction: string;
  /** Of the transaction; '' where it is not known. */
  readonly op: string;
  readonly count: number;
  readonly totalUs: number;
  readonly p95Us: number;
}

export interface QueryCallers {
  /** The one in which it takes the most time first. */
  readonly rows: readonly QueryCaller[];
  readonly totalUs: number;
  readonly share: number | undefined;
}

interface CallerRow {
  readonly transaction: string;
  readonly n: number;
  readonly us: number;
  readonly p95: number | null;
  readonly allUs: number;
}

export async function readCallers(
  events: Events,
  scope: QueryScope,
  limit: number,
  limits: SamplingLimits,
): Promise<QueryCallers> {
  const read = await readOneQuery(events, scope, limits);
  const found = await events.query<CallerRow>(
    `SELECT transaction, count() AS n, sum(duration_us) AS us, quantileDD(0.01, 0.95)(duration_us) AS p95, sum(us) OVER () AS allUs
     FROM spans WHERE ${read.sql} GROUP BY transaction ORDER BY us DESC, transaction LIMIT {limit:UInt32}`,
    { ...read.params, limit },
  );
  const ops = await opsOf(
    events,
    scope,
    found.map(({ transaction }) => transaction),
  );
  return {
    rows: found.map(({ transaction, n, us, p95 }) => ({
      transaction,
      op: ops.get(transaction) ?? '',
      count: Math.round(n * read.weight),
      totalUs: Math.round(us * read.weight),
      p95Us: p95 ?? 0,
    })),
    totalUs: Math.round((found[0]?.allUs ?? 0) * read.weight),
    share: read.share,
  };
}

const hourMs = 3_600_000;

/** The op under which each transaction came most. */
async function opsOf(
  events: Events,
  { projectIds, range }: QueryScope,
  transactions: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!transactions.length) return new Map();
  const rows = await events.query<{ transaction: string; op: string }>(
    `SELECT transaction, argMax(op, n) AS op FROM (
       SELECT transaction, op, sum(count) AS n FROM transaction_hours
       WHERE project_id IN {projects:Array(UInt64)} AND transaction IN {transactions:Array(String)} AND hour >= {from:UInt32}
       GROUP BY transaction, op
     ) GROUP BY transaction`,
    {
      projects: projectIds,
      transactions,
      from: Math.max(0, (Math.floor(range.startMs / hourMs) * hourMs) / 1000),
    },
  );
  return new Map(rows.map(({ transaction, op }) => [transaction, op]));
}
