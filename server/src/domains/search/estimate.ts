/**
 * How sure a count of errors is after a storm (`ingest/storm`).
 *
 * Of a group of w errors that share a key, one is stored, chosen at random, and counts for all w. Where k of them are of
 * this issue, it is counted as w with the chance k/w: right on average, with the variance k (w - k). What is stored tells
 * w and not k. The sum of w (w - 1) over what is stored of the issue is, on average, the sum of k (w - 1): never less
 * than the variance. And as each group counts for w whoever is chosen, all other issues of the project together err by
 * exactly as much, so that the same sum over them bounds it as well; the smaller one counts. Where no other issue has a
 * sampled error, all groups were of this issue alone, and its count is exact.
 */
import { largestSampled, sampledSpread } from './stood-for.ts';

/** Holds the truth 19 times in 20. Errors. */
export interface CountEstimate {
  readonly low: number;
  readonly high: number;
}

/** What is stored of sampled errors, of an issue and of the other issues of its project. */
export interface SampledSums {
  /** Sum of w (w - 1). */
  readonly own: number;
  readonly others: number;
  /** Largest w. */
  readonly largest: number;
}

/** An error below that is not worth a word, of the count. */
const worthSaying = 0.01;
/** Standard errors to either side. */
const sides = 1.96;

/** Undefined where the count is off by no more than 1 %. `stored`: of the errors, those that are known one by one. */
export function estimateOf(
  count: number,
  stored: number,
  { own, others, largest }: SampledSums,
): CountEstimate | undefined {
  if (own === 0 || others === 0) return undefined;
  // One more group of the largest, so that what few groups say is not believed too much.
  const error = sides * Math.sqrt(Math.min(own, others) + largest * (largest - 1));
  if (error <= count * worthSaying) return undefined;
  return { low: Math.max(stored, Math.floor(count - error)), high: Math.ceil(count + error) };
}

/** Columns beside a count of a part of the errors, for `estimateOfPart`: of a release, of a transaction, of what a query finds. */
export const partSpread = (condition?: string): string =>
  `${sampledSpread(condition)} AS spread, ${largestSampled(condition)} AS largest,
   ${condition === undefined ? 'count()' : `countIf(${condition})`} AS stored`;

/** The same in one column, where several parts are counted beside each other: spread, largest, stored. */
export const spreadTuple = (condition: string): string =>
  `(${sampledSpread(condition)}, ${largestSampled(condition)}, countIf(${condition}))`;

export type SpreadTuple = readonly [spread: number, largest: number, stored: number];

export const toSpread = ([spread, largest, stored]: SpreadTuple): PartSpread => ({
  spread: Number(spread),
  largest: Number(largest),
  stored: Number(stored),
});

/** Of both parts together. */
export const plusSpread = (a: PartSpread, b: PartSpread): PartSpread => ({
  spread: a.spread + b.spread,
  largest: Math.max(a.largest, b.largest),
  stored: a.stored + b.stored,
});

/** Of none. */
export const noSpread: PartSpread = { spread: 0, largest: 1, stored: 0 };

export interface PartSpread {
  readonly spread: number;
  readonly largest: number;
  readonly stored: number;
}

/** Undefined where the count is right to 1 %. `others`: the sum over all other errors of the project, where it is known. */
export const estimateOfPart = (count: number, part: PartSpread, others = Infinity): CountEstimate | undefined =>
  estimateOf(Number(count), Number(part.stored), {
    own: Number(part.spread),
    others,
    largest: Number(part.largest),
  });
