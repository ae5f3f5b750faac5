/** One transaction: how it went over time, how long it took, examples, what it waited for and what the slow ones share. */
import type { Events } from '../events/events.ts';
import { type SqlPart, where } from '../issues/index.ts';
import type { TimeRange } from '../search/index.ts';
import { condition, inScope, percentiles, sourceOf, type TransactionScope } from './measures.ts';
import type { TransactionKey } from './transactions.ts';

export interface TransactionRequest extends TransactionScope, TransactionKey {
  readonly range: TimeRange;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;

const ofKey = ({ transaction, op }: TransactionKey): SqlPart =>
  condition('transaction = {transaction:String} AND op = {op:String}', { transaction, op });

export interface SeriesBucket {
  readonly bucket: number;
  readonly count: number;
  readonly failed: number;
  /** µs, of `percentiles`. */
  readonly durations: readonly number[];
}

/** By index of the bucket; those without a transaction are left out. */
export async function transactionSeries(events: Events, request: TransactionRequest): Promise<SeriesBucket[]> {
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
  return rows.map(({ bucket, n, bad, d }) => ({ bucket, count: n, failed: bad, durations: d.map((us) => us ?? 0) }));
}

/** Transactions that are looked at one by one; of more the newest hours are taken. */
const examinedTransactions = 50_000;

export interface Examined {
  readonly fromMs: number;
  readonly untilMs: number | undefined;
  /** False where the range has more than was looked at. */
  readonly whole: boolean;
}

/** The newest hours of the range that together have about as many transactions as are looked at. */
export async function examinedHours(events: Events, request: TransactionRequest): Promise<Examined> {
  const { range } = request;
  const untilMs = range.open ? undefined : range.endMs;
  const source = sourceOf('hour');
  const during = source.during('range', Math.floor(range.startMs / hourMs) * hourMs, untilMs);
  const scope = where(...inScope(request), ofKey(request), during);
  const hours = await events.query<{ at: number; n: number }>(
    `SELECT ${source.millis} AS at, sum(count) AS n FROM ${source.table} WHERE ${scope.sql} GROUP BY at ORDER BY at DESC`,
    scope.params,
  );
  let seen = 0;
  for (const { at, n } of hours) {
    seen += n;
    if (seen >= examinedTransactions) {
      return { fromMs: Math.max(at, range.startMs), untilMs, whole: at === hours.at(-1)?.at };
    }
  }
  return { fromMs: range.startMs, untilMs, whole: true };
}

/** The hour comes first: it is part of the sort key, so that only those hours are read. */
function examinedSpans(request: TransactionRequest, { fromMs, untilMs }: Examined): SqlPart[] {
  const spans = sourceOf('ms').during('examined', fromMs, untilMs);
  return [
    ...inScope(request),
    condition('transaction = {transaction:String}', { transaction: request.transaction }),
    condition("toStartOfHour(started_at) >= toDateTime({examinedHour:UInt32}, 'UTC')", {
      examinedHour: Math.floor(Math.max(0, fromMs) / hourMs) * 3600,
    }),
    spans,
  ];
}

const segmentsOf = (request: TransactionRequest, examined: Examined): SqlPart[] => [
  ...examinedSpans(request, examined),
  condition('is_segment = 1 AND op = {op:String}', { op: request.op }),
];

export interface HistogramBar {
  readonly fromUs: number;
  readonly untilUs: number;
  readonly count: number;
}

/** Bars of a fourth of an octave. */
const barsPerOctave = 4;

export async function latencyHistogram(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
): Promise<HistogramBar[]> {
  const scope = where(...segmentsOf(request, examined));
  const rows = await events.query<{ bar: number; count: number }>(
    `SELECT toInt32(floor(log2(greatest(duration_us, 1)) * ${barsPerOctave})) AS bar, count() AS count
     FROM spans WHERE ${scope.sql} GROUP BY bar ORDER BY bar`,
    scope.params,
  );
  return rows.map(({ bar, count }) => ({
    fromUs: bar === 0 ? 0 : Math.round(2 ** (bar / barsPerOctave)),
    untilUs: Math.round(2 ** ((bar + 1) / barsPerOctave)),
    count,
  }));
}

export interface SampleTrace {
  /** Index into `percentiles`. */
  readonly percentile: number;
  readonly projectId: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly startUs: number;
  readonly durationUs: number;
  readonly status: string;
  readonly user: string;
  readonly release: string;
}

const samplesEach = 5;
/** How near to a percentile a sample has to be. */
const nearness = 0.1;

/** The newest transactions that took about as long as each percentile. */
export async function sampleTraces(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  durations: readonly number[],
): Promise<SampleTrace[]> {
  const bands = percentiles.map((_, index) => {
    const us = durations[index] ?? 0;
    return { from: Math.floor(us * (1 - nearness)), until: Math.ceil(us * (1 + nearness)) };
  });
  // The highest first: where two percentiles are nearly the same the rarer one has the samples.
  const band = `multiIf(${[...bands.keys()]
    .toReversed()
    .map((index) => `duration_us BETWEEN {from${index}:UInt64} AND {until${index}:UInt64}, ${index}`)
    .join(', ')}, -1)`;
  const scope = where(...segmentsOf(request, examined));
  const params = Object.fromEntries(
    bands.flatMap(({ from, until }, index) => [
      [`from${index}`, from],
      [`until${index}`, until],
    ]),
  );
  return events.query<SampleTrace>(
    `SELECT toInt32(${band}) AS percentile, project_id AS projectId, trace_id AS traceId, span_id AS spanId,
       toUnixTimestamp64Micro(started_at) AS startUs, duration_us AS durationUs, status, user, release
     FROM spans WHERE ${scope.sql} AND percentile >= 0
     ORDER BY percentile, started_at DESC LIMIT {each:UInt32} BY percentile`,
    { ...scope.params, ...params, each: samplesEach },
  );
}

export interface OperationShare {
  readonly op: string;
  readonly description: string;
  readonly hash: string;
  readonly count: number;
  /** Self time where it is known, else the whole duration. */
  readonly totalUs: number;
  readonly p75Us: number;
}

/** What the transaction spends its time with, most first; `totalUs` of all of it comes with it. */
export async function operationShares(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  limit: number,
): Promise<{ readonly rows: readonly OperationShare[]; readonly totalUs: number }> {
  const scope = where(...examinedSpans(request, examined), condition('is_segment = 0'));
  const rows = await events.query<OperationShare & { allUs: number }>(
    `SELECT op, description, any(description_hash) AS hash, count() AS count,
       sum(if(exclusive_us < 0, duration_us, toUInt64(exclusive_us))) AS totalUs, quantileDD(0.01, 0.75)(duration_us) AS p75Us,
       sum(totalUs) OVER () AS allUs
     FROM spans WHERE ${scope.sql} GROUP BY op, description ORDER BY totalUs DESC, op, description LIMIT {limit:UInt32}`,
    { ...scope.params, limit },
  );
  return { rows, totalUs: rows[0]?.allUs ?? 0 };
}

export interface SlowTag {
  readonly key: string;
  readonly value: string;
  readonly count: number;
  readonly slow: number;
  /** How many times as frequent among the slow as among all. */
  readonly lift: number;
}

/** Attribute values that the slow ones have more often than all: from `slowUs` on. What every transaction has another of is left out. */
export async function slowTags(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  slowUs: number,
  limit: number,
): Promise<SlowTag[]> {
  const scope = where(...segmentsOf(request, examined));
  const params = { ...scope.params, slowUs: Math.floor(slowUs), limit };
  const [totals] = await events.query<{ n: number; slow: number }>(
    `SELECT count() AS n, countIf(duration_us >= {slowUs:UInt64}) AS slow FROM spans WHERE ${scope.sql}`,
    params,
  );
  if (!totals?.slow) return [];
  return events.query<SlowTag>(
    `SELECT pair.1 AS key, pair.2 AS value, count() AS count, countIf(duration_us >= {slowUs:UInt64}) AS slow,
       (slow / {slowAll:UInt64}) / (count / {all:UInt64}) AS lift
     FROM (
       SELECT duration_us, arrayJoin(arrayConcat(
         arrayZip(arrayMap(key -> toString(key), mapKeys(attributes)), mapValues(attributes)),
         [('release', release), ('environment', environment), ('service', service)])) AS pair
       FROM spans WHERE ${scope.sql}
     )
     WHERE pair.2 != ''
     GROUP BY pair HAVING slow >= {least:UInt64} AND lift > 1.1
     ORDER BY lift * log(1 + slow) DESC, key, value LIMIT {limit:UInt32}`,
    { ...params, slowAll: totals.slow, all: totals.n, least: Math.max(2, Math.ceil(totals.slow / 50)) },
  );
}
