/** Examples of a transaction, to be looked at as traces. */
import type { Events } from '../../ports/events/events.ts';
import { where } from '../../base/sql.ts';
import { type Examined, type Picked, segmentsOf, type TransactionRequest } from './examined.ts';
import { percentiles } from './measures.ts';

export interface SampleTrace {
  /** Index into `percentiles`; -1 for none. */
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
/** Of a picked range of durations. */
const samplesPicked = 20;
/** How near to a percentile a sample has to be. */
const nearness = 0.1;

const columns = `project_id AS projectId, trace_id AS traceId, span_id AS spanId,
       toUnixTimestamp64Micro(started_at) AS startUs, duration_us AS durationUs, status, user, release`;

/** The newest transactions that took about as long as each percentile; `durations` are theirs, µs. */
export async function sampleTraces(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  picked: Picked,
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
  const scope = where(...segmentsOf(request, examined, picked));
  const params = Object.fromEntries(
    bands.flatMap(({ from, until }, index) => [
      [`from${index}`, from],
      [`until${index}`, until],
    ]),
  );
  return events.query<SampleTrace>(
    `SELECT toInt32(${band}) AS percentile, ${columns} FROM spans WHERE ${scope.sql} AND percentile >= 0
     ORDER BY percentile, started_at DESC LIMIT {each:UInt32} BY percentile`,
    { ...scope.params, ...params, each: samplesEach },
  );
}

/** The newest of those that were picked by duration. */
export async function pickedTraces(
  events: Events,
  request: TransactionRequest,
  examined: Examined,
  picked: Picked,
): Promise<SampleTrace[]> {
  const scope = where(...segmentsOf(request, examined, picked));
  return events.query<SampleTrace>(
    `SELECT -1 AS percentile, ${columns} FROM spans WHERE ${scope.sql} ORDER BY started_at DESC LIMIT {limit:UInt32}`,
    { ...scope.params, limit: samplesPicked },
  );
}
