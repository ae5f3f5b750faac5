/** Aggregates over time: of all rows together, or of each of the groups that have the most. */
import type { Field } from '@culprit/search';
import { bucketsOf, type Buckets } from './buckets.ts';
import { toCell } from './cells.ts';
import type { SamplingLimits } from './estimate/sample.ts';
import { type EstimatedBuckets, estimateBuckets } from './estimate/series.ts';
import type { CellInterval } from './estimate/types.ts';
import { refuseExpensiveQuestion } from './expensive.ts';
import { type IssueProject, resolveIssueTerms } from './issue-terms.ts';
import type { SeriesQuestion } from './read-question.ts';
import { type BucketRow, type BucketRows, readBuckets } from './series-buckets.ts';
import { isIssue } from './sql.ts';
import { wasSampled } from './storm.ts';
import { issuesIn } from './table.ts';
import type { Cell, ExploreStores } from './types.ts';

/** Holds the truth 19 times in 20; null: not known. */
export type PointInterval = readonly [low: number | null, high: number | null];

export interface SeriesGroup {
  /** By what was grouped by, in that order; empty for all rows together. */
  readonly values: readonly Cell[];
  readonly isOther: boolean;
  /** Of each axis one value a bucket; null where there was nothing that it could be made of. */
  readonly axes: readonly (readonly (number | null)[])[];
  /** The same of intervals, where some values are estimated; undefined: right to 1 %. */
  readonly intervals?: readonly (readonly (PointInterval | undefined)[])[] | undefined;
}

export interface Series {
  readonly buckets: Buckets;
  /** The largest first, the rest last. */
  readonly groups: readonly SeriesGroup[];
  /** Of the rows, that the values are estimated from; undefined: they are of all rows. */
  readonly share?: number | undefined;
}

export interface SeriesOptions {
  readonly intervalMs: number | undefined;
  /** With a series of what is in none of the groups. */
  readonly withOther: boolean;
  readonly signal?: AbortSignal | undefined;
  /** It may be answered from a sample. */
  readonly sampling?: SamplingLimits | undefined;
}

export async function readSeriesOf(
  stores: ExploreStores,
  question: SeriesQuestion,
  projects: readonly IssueProject[],
  { intervalMs, withOther, signal, sampling }: SeriesOptions,
): Promise<Series> {
  const asked = bucketsOf(question.range, intervalMs);
  const { axes, groupBy } = question;
  if (!question.projects.length) {
    const empty = axes.map(({ field }) => emptySeries(field, asked));
    return { buckets: asked, groups: groupBy.length ? [] : [{ values: [], isOther: false, axes: empty }] };
  }
  const issueTerms = await resolveIssueTerms(stores.state, projects, question.query);
  await refuseExpensiveQuestion(stores, question, issueTerms, signal);
  const options = { buckets: asked, withOther, wasSampled: wasSampled(question, projects), signal };
  const isLengthAsked = intervalMs !== undefined;
  const estimated =
    sampling &&
    (await estimateBuckets(stores, question, issueTerms, options, { limits: sampling, isLengthAsked, signal }));
  const buckets = estimated?.buckets ?? asked;
  const { top, rows }: BucketRows = estimated ?? (await readBuckets(stores, question, issueTerms, options));
  const byPart = Map.groupBy(rows, (row) => row.part);
  const issues = await issuesIn(
    stores.state,
    top.map((values) => Object.fromEntries(values.map((value, index) => [`f${index}`, value]))),
    groupBy.flatMap(({ field }, index) => (isIssue(field) ? [`f${index}`] : [])),
  );
  const place = { projects: new Map(projects.map((one) => [one.id, one])), issues };
  const ofPart = (part: number): Pick<SeriesGroup, 'axes' | 'intervals'> => ({
    axes: filled(question, buckets, byPart.get(part) ?? []),
    intervals: estimated
      ? intervalsOf(question, buckets, estimated, part)
      : stormIntervals(question, buckets, byPart.get(part) ?? []),
  });
  const groups = top.map((values, index) => ({
    values: groupBy.map(({ field }, at) => toCell(field, values[at] ?? null, place)),
    isOther: false,
    ...ofPart(index),
  }));
  if (byPart.has(-1)) groups.push({ values: [], isOther: true, ...ofPart(-1) });
  return { buckets, groups, share: estimated?.share };
}

/** Whether nothing is none of it; a percentile of nothing is not known. */
const isCounted = ({ type, kind, ...field }: Field): boolean =>
  type === 'rate' || (kind === 'function' && /^(count|sum|failure_count)/.test('key' in field ? field.key.name : ''));

const emptySeries = (field: Field, { count }: Pick<Buckets, 'count'>): (number | null)[] =>
  Array.from({ length: count }, () => (isCounted(field) ? 0 : null));

function filled({ axes }: SeriesQuestion, buckets: Buckets, rows: readonly BucketRow[]): (number | null)[][] {
  return axes.map(({ field }, index) => {
    const values = emptySeries(field, buckets);
    for (const row of rows) {
      const value = row.values[index] ?? null;
      if (row.bucket >= 0 && row.bucket < values.length && value !== null) values[row.bucket] = toNumber(value);
    }
    return values;
  });
}

function intervalsOf(
  { axes }: SeriesQuestion,
  { count, bucketMs }: Buckets,
  { rows, none }: EstimatedBuckets,
  part: number,
): PointInterval[][] {
  const unknown: PointInterval = [null, null];
  const byBucket = new Map(rows.flatMap((row) => (row.part === part ? [[row.bucket, row.intervals]] : [])));
  return axes.map(({ field }, index) => {
    const isCount = field.kind === 'function' && /^(count|failure_count)/.test(field.key.name);
    const nothing = isCount || field.type === 'rate' ? none.get(part) : undefined;
    const per = isCount ? 1 : bucketMs / (field.unit === '1/second' ? 1_000 : 60_000);
    return Array.from({ length: count }, (_, bucket): PointInterval => {
      const ends = byBucket.get(bucket)?.[index];
      if (ends) return toPoint(ends);
      return nothing ? toPoint(nothing, per) : unknown;
    });
  });
}

/** Of counts and rates that a storm made estimates; undefined where all are right. */
function stormIntervals(
  { axes }: SeriesQuestion,
  { count }: Buckets,
  rows: readonly BucketRow[],
): SeriesGroup['intervals'] {
  if (!rows.some(({ intervals }) => intervals?.some((one) => one))) return undefined;
  const byBucket = new Map(rows.map((row) => [row.bucket, row.intervals]));
  return axes.map((_, index) =>
    Array.from({ length: count }, (_one, bucket) => {
      const ends = byBucket.get(bucket)?.[index];
      return ends && toPoint(ends);
    }),
  );
}

const toPoint = ([low, high]: CellInterval, per = 1): PointInterval => [toEnd(low, per), toEnd(high, per)];

function toEnd(end: number | string | null, per: number): number | null {
  const value = end === null ? null : toNumber(end);
  return value === null ? null : value / per;
}

/** Times are text; over time they are ms since the epoch. */
function toNumber(value: number | string): number | null {
  if (typeof value === 'number') return value;
  const ms = Date.parse(`${value.replace(' ', 'T')}Z`);
  return Number.isNaN(ms) ? null : ms;
}
