/** Series from a sample, in place of all rows. */
import { where } from '../../../base/sql.ts';
import { type AggregateParts, createBinder } from '../../search/index.ts';
import { type Buckets, bucketsOf } from '../buckets.ts';
import { columnsRead, conditionsOf } from '../conditions.ts';
import { partOf } from '../group-parts.ts';
import type { IssueTerms } from '../issue-terms.ts';
import type { SeriesQuestion } from '../read-question.ts';
import {
  bucketParams,
  type BucketOptions,
  type BucketRow,
  type BucketRows,
  bucketSql,
  groupKeys,
  inBucket,
} from '../series-buckets.ts';
import { sourceOf } from '../sources.ts';
import { queryOptions } from '../sql.ts';
import type { ExploreStores } from '../types.ts';
import { saysEnough } from './groups.ts';
import { estimateNone, mostRows } from './intervals.ts';
import { estimable, planSample, type SamplingRequest } from './plan.ts';
import { shareOf } from './sample.ts';
import { estimatesOf, type SampleRow, sampleSql, seenOf } from './statement.ts';
import type { CellInterval } from './types.ts';

export interface EstimatedBucket extends BucketRow {
  /** One an axis. */
  readonly intervals: readonly CellInterval[];
}

export interface EstimatedBuckets extends BucketRows {
  readonly rows: readonly EstimatedBucket[];
  readonly buckets: Buckets;
  readonly share: number;
  /** By group: between which ends counts lie in a bucket that the sample has nothing of. */
  readonly none: ReadonlyMap<number, CellInterval>;
}

/** Of values that are estimated so many, at least, are off by no more than they are: else noise is all that one would see. */
const leastKnown = 0.5;

function showsShape(rows: readonly EstimatedBucket[], parts: readonly AggregateParts[]): boolean {
  let [known, all] = [0, 0];
  for (const { values, intervals } of rows) {
    for (const [index, value] of values.entries()) {
      if (parts[index]?.kind === 'one' || typeof value !== 'number' || value === 0) continue;
      const [low, high] = intervals[index] ?? [null, null];
      all += 1;
      if (typeof low === 'number' && typeof high === 'number' && high - low <= 2 * Math.abs(value)) known += 1;
    }
  }
  return known >= leastKnown * all;
}

/** Stretches are few for many buckets. Where their length is nobody's wish, they are longer than those of all rows. */
const wantedBuckets = 30;
const mostBuckets = 60;

/** Undefined where the question is answered from all rows. */
export async function estimateBuckets(
  stores: ExploreStores,
  question: SeriesQuestion,
  issueTerms: IssueTerms,
  { buckets: asExact, withOther, signal }: BucketOptions,
  { isLengthAsked, ...request }: SamplingRequest & { readonly isLengthAsked: boolean },
): Promise<EstimatedBuckets | undefined> {
  const { axes, groupBy, dataSet, query } = question;
  const buckets = isLengthAsked ? asExact : bucketsOf(question.range, undefined, wantedBuckets);
  if (buckets.count > mostBuckets) return undefined;
  const { params, bind } = createBinder('asked');
  const asked = estimable(inBucket(question, buckets), axes, bind);
  if (!asked) return undefined;
  const source = sourceOf(
    dataSet,
    columnsRead(
      query.rows,
      [...axes, ...groupBy, ...question.sort].map(({ field }) => field),
    ),
  );
  // By time alone a stretch is of one bucket: too few would say something of each.
  if (source.table === 'segments') return undefined;
  const sample = await planSample(stores.events, question, source, issueTerms, request);
  if (!sample) return undefined;
  const sampled: SeriesQuestion = { ...question, sample };
  const keys = await groupKeys(stores, sampled, issueTerms, bind);
  const scope = where(conditionsOf(sampled, source, query.rows, issueTerms));
  const read = (of: { readonly keys: readonly string[]; readonly sort: readonly number[]; readonly limit: number }) =>
    stores.events.query<SampleRow>(
      sampleSql({ table: source.table, where: scope.sql, aggregates: asked.parts, ...of }, sample),
      { ...scope.params, ...params, ...bucketParams(buckets) },
      queryOptions(signal),
    );
  const top = keys.length
    ? (await read({ keys, sort: asked.sort, limit: question.top })).map((row) =>
        keys.map((_, at) => row[`k${at}`] ?? null),
      )
    : [[]];
  const part = keys.length ? partOf(keys, top, bind) : '0';
  const stored = await read({
    keys: [`toInt32(${part})`, bucketSql(source)],
    sort: [],
    limit: (top.length + 1) * buckets.count,
  });
  if (!saysEnough(stored)) return undefined;
  const known = stored.filter(({ k0 }) => withOther || Number(k0) >= 0);
  const rows = known.map((row): EstimatedBucket => {
    const estimates = estimatesOf(row, asked.parts, sample).slice(0, axes.length);
    return {
      part: Number(row.k0),
      bucket: Number(row.k1),
      values: estimates.map(({ value }) => (typeof value === 'number' || typeof value === 'string' ? value : null)),
      intervals: estimates.map(({ interval }) => interval),
    };
  });
  if (!showsShape(rows, asked.parts)) return undefined;
  const none = [...Map.groupBy(known, ({ k0 }) => Number(k0))].map(([group, ofGroup]): [number, CellInterval] => [
    group,
    estimateNone(Math.max(...ofGroup.map(({ stretches }) => mostRows(seenOf(stretches)))), sample).interval,
  ]);
  return { buckets, top, rows, share: shareOf(sample), none: new Map(none) };
}
