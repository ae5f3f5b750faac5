/** Aggregates by group and by bucket of time, as they are stored. */
import { where } from '../../base/sql.ts';
import { type Bind, createBinder } from '../search/index.ts';
import type { Buckets } from './buckets.ts';
import type { Stored } from './cells.ts';
import { columnsRead, conditionsOf } from './conditions.ts';
import { partOf } from './group-parts.ts';
import { topGroups } from './groups.ts';
import { groupsOfIssues } from './issue-groups.ts';
import type { IssueTerms } from './issue-terms.ts';
import type { SeriesQuestion } from './read-question.ts';
import type { CellInterval } from './estimate/types.ts';
import { type Source, sourceOf } from './sources.ts';
import { isIssue, queryOptions, sqlOf } from './sql.ts';
import { spreadColumns, spreadsOf, stormInterval } from './storm.ts';
import type { ExploreStores } from './types.ts';

export interface BucketRow {
  /** Place of the group in `top`; -1: none of them. */
  readonly part: number;
  readonly bucket: number;
  /** One an axis. */
  readonly values: readonly (number | string | null)[];
  /** One an axis, where some are estimated; undefined: right to 1 %. */
  readonly intervals?: readonly (CellInterval | undefined)[] | undefined;
}

export interface BucketRows {
  /** Values of the groups; a single one without values where nothing is grouped by. */
  readonly top: readonly (readonly Stored[])[];
  readonly rows: readonly BucketRow[];
}

export interface BucketOptions {
  readonly buckets: Buckets;
  readonly withOther: boolean;
  /** A storm may have made counts estimates. */
  readonly wasSampled: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** SQL of what rows are grouped by. */
export function groupKeys(
  stores: ExploreStores,
  question: SeriesQuestion,
  issueTerms: IssueTerms,
  bind: Bind,
): Promise<string[]> {
  return Promise.all(
    question.groupBy.map(async ({ field }) =>
      isIssue(field)
        ? groupsOfIssues(stores, question, question.query, issueTerms, bind)
        : sqlOf(field, question, bind),
    ),
  );
}

/** SQL of the number of a row's bucket. What is dated into the future is in the last. */
export const bucketSql = ({ timeColumn }: Source): string =>
  `least(intDiv(toUnixTimestamp64Milli(${timeColumn}) - {bucketStart:Int64}, {bucketMs:Int64}), {bucketLast:Int64})`;

export const bucketParams = ({ startMs, bucketMs, count }: Buckets) => ({
  bucketStart: startMs,
  bucketMs,
  bucketLast: count - 1,
});

/** The question of one bucket: rates are per its time. */
export const inBucket = (question: SeriesQuestion, { bucketMs }: Buckets): SeriesQuestion => ({
  ...question,
  range: { startMs: 0, endMs: bucketMs, open: false },
});

export async function readBuckets(
  stores: ExploreStores,
  question: SeriesQuestion,
  issueTerms: IssueTerms,
  { buckets, withOther, wasSampled, signal }: BucketOptions,
): Promise<BucketRows> {
  const { axes, groupBy, dataSet, query } = question;
  const { params: groupParams, bind: bindGroup } = createBinder('group');
  const keys = await groupKeys(stores, question, issueTerms, bindGroup);
  const top = keys.length
    ? await topGroups(stores.events, question, issueTerms, { sql: keys, params: { ...groupParams } }, signal)
    : [[]];
  if (!top.length) return { top, rows: [] };
  const part = keys.length ? partOf(keys, top, bindGroup) : '0';
  const { params, bind } = createBinder('asked');
  const fields = [...axes, ...groupBy].map(({ field }) => field);
  const source = sourceOf(dataSet, columnsRead(query.rows, fields));
  const scope = where(conditionsOf(question, source, query.rows, issueTerms));
  const each = inBucket(question, buckets);
  const selected = axes.map(({ field }, index) => `${sqlOf(field, each, bind)} AS a${index}`);
  const axisFields = axes.map(({ field }) => field);
  const spreads = wasSampled ? spreadsOf(axisFields, each, keys.length > 0, bind) : [];
  const stored = await stores.events.query<
    Pick<BucketRow, 'part' | 'bucket'> & Readonly<Record<string, number | string | null>>
  >(
    `SELECT toInt32(${part}) AS part, ${bucketSql(source)} AS bucket,
       ${[...selected, ...spreadColumns(spreads)].join(', ')}
     FROM ${source.table} WHERE ${scope.sql}${keys.length && !withOther ? ` AND ${part} >= 0` : ''}
     GROUP BY part, bucket ORDER BY part, bucket`,
    { ...scope.params, ...params, ...groupParams, ...bucketParams(buckets) },
    queryOptions(signal),
  );
  const rows = stored.map((row): BucketRow => {
    const intervals = new Map(spreads.map((spread) => [spread.at, stormInterval(row[`a${spread.at}`], row, spread)]));
    return {
      part: row.part,
      bucket: row.bucket,
      values: axes.map((_, index) => row[`a${index}`] ?? null),
      ...(spreads.length > 0 && { intervals: axes.map((_, index) => intervals.get(index)) }),
    };
  });
  return { top, rows };
}
