/** One transaction: how it went over time, how long it took, and what it waited for. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { childrenOf, type Examined, ofKey, type Picked, segmentsOf, type TransactionRequest } from './examined.ts';
import { inScope, sourceOf } from './measures.ts';
import type { SeriesBucket } from './series.ts';

const dayMs = 86_400_000;

/** By index of the bucket; those without a transaction are left out. */
export async function transactionSeries(
  events: Events,
  request: TransactionRequest,
): Promise<ReadonlyMap<number, SeriesBucket>> {
  const { range } = request;
  const source = sourceOf(range.grain === 'day' && range.bucketMs % dayMs !== 0 ? 'hour' : range.grain);
  const during = source.during('range', range.startMs, range.open ? undefined : range.endMs);
  const scope = where(...source.base, ...inScope(request), ofKey(request), during);
  const rows = await events.query<{ bucket: number; n: number; bad: number; d: readonly (number | null)[] }>(
    `SELECT least(intDiv(${source.millis} - {start:Int64}, {bucketMs:Int64}), {last:Int64}) AS bucket, sum(${source.count}) AS n,
       sum(${source.failed}) AS bad, ${source.durations('1')} AS d
     FROM ${source.table} WHERE ${scope.sql} GROUP BY bucket ORDER BY bucket`,
    { ...scope.params, start: range.startMs, bucketMs: range.bucketMs, last: range.buckets - 1 },
  );
  // The columns of the aggregates have the names of the measures, so the answer has others.
  return new Map(
    rows.map(({ bucket, n, bad, d }) => [bucket, { count: n, failed: bad, durations: d.map((us) => us ?? 0) }]),
  );
}

export interface HistogramBar {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly count: number;
}

export interface Histogram {
  /** Each begins where the one before ends. */
  readonly bars: readonly HistogramBar[];
  /** For how many transactions each stands that was sent, on average; undefined where senders do not say. */
  readonly sampledOneIn: number | undefined;
}

/** Bars of a fourth of an octave. */
const barsPerOctave = 4;
/** The least whole number that belongs to a bar. */
const edgeOf = (bar: number): number => (bar <= 0 ? 0 : Math.ceil(2 ** (bar / barsPerOctave)));
const rate = "numbers['sentry.sample_rate']";

export async function latencyHistogram(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  picked: Picked,
): Promise<Histogram> {
  const scope = where(...segmentsOf(request, examined, picked));
  const rows = await events.query<{ bar: number; count: number; rated: number; stood: number }>(
    `SELECT toInt32(floor(log2(greatest(duration_us, 1)) * ${barsPerOctave})) AS bar, count() AS count,
       countIf(${rate} > 0 AND ${rate} <= 1) AS rated, sumIf(1 / ${rate}, ${rate} > 0 AND ${rate} <= 1) AS stood
     FROM spans WHERE ${scope.sql} GROUP BY bar ORDER BY bar`,
    scope.params,
  );
  const counts = new Map(rows.map(({ bar, count }) => [bar, count]));
  const [first, last] = [rows[0]?.bar ?? 0, rows.at(-1)?.bar ?? -1];
  const rated = rows.reduce((sum, row) => sum + row.rated, 0);
  return {
    bars: Array.from({ length: last - first + 1 }, (_, index) => {
      const bar = first + index;
      return { fromUs: edgeOf(bar), untilUs: edgeOf(bar + 1), count: counts.get(bar) ?? 0 };
    }).filter(({ fromUs, untilUs }) => fromUs < untilUs),
    sampledOneIn: rated ? rows.reduce((sum, row) => sum + row.stood, 0) / rated : undefined,
  };
}

export interface OperationShare {
  readonly op: string;
  readonly description: string;
  readonly hash: string;
  readonly count: number;
  /** Self time where it is known, else the whole duration. */
  readonly totalUs: number;
  readonly p75Us: number;
  /** The longest one, to be looked at. */
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
}

/** What the transaction spends its time with, most first; `totalUs` of all of it comes with it. */
export async function operationShares(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  picked: Picked,
  limit: number,
): Promise<{ readonly rows: readonly OperationShare[]; readonly totalUs: number }> {
  const scope = where(...childrenOf(request, examined, picked));
  const rows = await events.query<OperationShare & { allUs: number }>(
    `SELECT op, description, any(description_hash) AS hash, count() AS count,
       sum(if(exclusive_us < 0, duration_us, toUInt64(exclusive_us))) AS totalUs, quantileDD(0.01, 0.75)(duration_us) AS p75Us,
       argMax((trace_id, span_id, toUnixTimestamp64Micro(started_at)), duration_us) AS longest,
       longest.1 AS traceId, longest.2 AS spanId, longest.3 AS startUs, sum(totalUs) OVER () AS allUs
     FROM spans WHERE ${scope.sql} GROUP BY op, description ORDER BY totalUs DESC, op, description LIMIT {limit:UInt32}`,
    { ...scope.params, limit },
  );
  return { rows, totalUs: rows[0]?.allUs ?? 0 };
}
