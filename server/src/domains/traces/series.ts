/** A selection of transactions over time, beside the same length of time before. */
import type { Events } from '../../ports/events/events.ts';
import { type SqlPart, where } from '../../base/sql.ts';
import type { TimeRange } from '../../base/time-range.ts';
import { inScope, levels, sourceOf, type TransactionScope } from './measures.ts';
import { type Measures, periodBefore } from './transactions.ts';

export interface SeriesBucket {
  readonly count: number;
  readonly failed: number;
  /** µs, of `percentiles`. */
  readonly durations: readonly number[];
}

export interface ComparedSeries {
  readonly startMs: number;
  readonly bucketMs: number;
  /** By index of the bucket, both of the same length; undefined where nothing was. */
  readonly now: readonly (SeriesBucket | undefined)[];
  readonly before: readonly (SeriesBucket | undefined)[];
  /** Of all buckets together; undefined where nothing was. */
  readonly totals: Measures | undefined;
  readonly totalsBefore: Measures | undefined;
}

type Sums = readonly [bucket: number, n: number, bad: number, d: readonly (number | null)[]];

interface PeriodRow {
  readonly earlier: 0 | 1;
  readonly n: number;
  readonly bad: number;
  readonly fast: number;
  readonly fair: number;
  readonly us: number;
  readonly u: number;
  readonly d: readonly (number | null)[];
  readonly parts: readonly Sums[];
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

/** As fine as the source that answers for all of the range: sketches of many transactions are expensive to merge. */
export function seriesBuckets({ startMs, endMs, grain, bucketMs }: TimeRange): { bucketMs: number; buckets: number } {
  const least = { ms: 1, hour: hourMs, day: dayMs }[grain];
  const size = Math.ceil(bucketMs / least) * least;
  return { bucketMs: size, buckets: Math.max(1, Math.ceil((endMs - startMs) / size)) };
}

export async function compareSeries(
  events: Events,
  request: TransactionScope & { readonly range: TimeRange },
  narrowed: SqlPart,
): Promise<ComparedSeries> {
  const { range } = request;
  const source = sourceOf(range.grain);
  const earlier = periodBefore(range);
  const { bucketMs, buckets } = seriesBuckets(range);
  const during = source.during('read', earlier.startMs, range.open ? undefined : range.endMs);
  const scope = where(...source.base, ...inScope(request), narrowed, during);
  const rows = request.projectIds.length
    ? await events.query<PeriodRow>(
        `SELECT earlier, sum(n_) AS n, sum(bad_) AS bad, sum(fast_) AS fast, sum(fair_) AS fair, sum(us_) AS us,
           uniqCombined64Merge(12)(u_) AS u, quantilesDDMerge(0.01, ${levels})(d_) AS d,
           groupArray((bucket, n_, bad_, finalizeAggregation(d_))) AS parts
         FROM (
           WITH ${source.millis} AS at
           SELECT at < {start:Int64} AS earlier,
             least(intDiv(at - if(earlier, {earlierStart:Int64}, {start:Int64}), {bucketMs:Int64}), {last:Int64}) AS bucket,
             sum(${source.count}) AS n_, sum(${source.failed}) AS bad_, sum(${source.satisfied}) AS fast_,
             sum(${source.tolerated}) AS fair_, sum(${source.totalUs}) AS us_, ${source.usersState} AS u_,
             ${source.durationsState} AS d_
           FROM ${source.table} WHERE ${scope.sql} GROUP BY earlier, bucket
         )
         GROUP BY earlier`,
        { ...scope.params, start: range.startMs, earlierStart: earlier.startMs, bucketMs, last: buckets - 1 },
      )
    : [];
  const periodOf = (wanted: 0 | 1): PeriodRow | undefined => rows.find((row) => row.earlier === wanted && row.n > 0);
  const [current, past] = [periodOf(0), periodOf(1)];
  return {
    startMs: range.startMs,
    bucketMs,
    now: spread(current, buckets),
    before: spread(past, buckets),
    totals: current && toMeasures(current, range.endMs - range.startMs),
    totalsBefore: past && toMeasures(past, earlier.periodMs),
  };
}

function spread(row: PeriodRow | undefined, buckets: number): (SeriesBucket | undefined)[] {
  const byBucket = new Map(row?.parts.map((part) => [part[0], part]));
  return Array.from({ length: buckets }, (_, index) => {
    const part = byBucket.get(index);
    return part && { count: part[1], failed: part[2], durations: part[3].map((us) => us ?? 0) };
  });
}

const toMeasures = ({ n, bad, fast, fair, us, u, d }: PeriodRow, periodMs: number): Measures => ({
  count: n,
  failed: bad,
  satisfied: fast,
  tolerated: fair,
  totalUs: us,
  users: u,
  durations: d.map((value) => value ?? 0),
  periodMs,
});

export interface FirstSeen {
  readonly release: string;
  /** ms since the epoch, by the grain of the source. */
  readonly at: number;
}

/** Releases that the selection saw in the range and not in the period before. What it began with is no change. */
export async function newReleases(
  events: Events,
  request: TransactionScope & { readonly range: TimeRange },
  narrowed: SqlPart,
  limit: number,
): Promise<FirstSeen[]> {
  if (!request.projectIds.length) return [];
  const { range } = request;
  // An hour is exact enough for a mark, and a day is not.
  const source = sourceOf(range.grain === 'day' ? 'hour' : range.grain);
  const from = Math.floor(periodBefore(range).startMs / hourMs) * hourMs;
  const during = source.during('read', from, range.open ? undefined : range.endMs);
  const scope = where(...source.base, ...inScope(request), narrowed, during);
  return events.query<FirstSeen>(
    `SELECT release, at FROM (
       SELECT release, min(${source.millis}) AS at, min(at) OVER () AS begun FROM ${source.table} WHERE ${scope.sql} GROUP BY release
     )
     WHERE release != '' AND at >= {start:Int64} AND at > begun ORDER BY at DESC, release LIMIT {limit:UInt32}`,
    { ...scope.params, start: range.startMs, limit },
  );
}
