/**
 * What a sample of stretches says of all rows, with an interval that holds the truth 19 times in 20.
 *
 * Rows of a stretch resemble each other, so that a thousand of them say hardly more than one: what is random is which
 * stretches were drawn, never which rows. Of each stratum two were, and the square of how they differ is an estimate of
 * its variance (of a ratio, of how they differ from the ratio of all: Taylor's linear part). Strata that differ much are
 * few in a small group, so that the interval is Student's, with the degrees of freedom that Satterthwaite counts.
 */
import type { Sample } from './sample.ts';

/** Ends of an interval; null where nothing can be said. */
export type Interval = readonly [low: number | null, high: number | null];

export interface Estimate {
  readonly value: number | null;
  readonly interval: Interval;
}

/** What was seen of a group in one stretch: its number, and a number for each part that is asked about. */
export interface Seen {
  readonly stretch: number;
  readonly parts: readonly number[];
}

type Design = Pick<Sample, 'perStratum'>;

/** Of a ratio or a percentile fewer stretches say too little of how they differ. */
export const fewestStretches = 5;
/** Nothing in n drawn of many: at most 3/n of them have any, 19 times in 20. */
const ruleOfThree = 3;

/** Each seen stretch stands for so many. */
const weightOf = ({ perStratum }: Design): number => perStratum / 2;

interface Spread {
  /** Of the weighted sum. */
  readonly variance: number;
  readonly freedom: number;
}

/** Of a number for each stretch; those that were drawn and are not there had none of the group: 0. */
function spreadOf(numbers: readonly (readonly [stretch: number, value: number])[], design: Design): Spread {
  const strata = new Map<number, { sum: number; squares: number }>();
  for (const [stretch, value] of numbers) {
    const stratum = Math.floor(stretch / design.perStratum);
    const known = strata.get(stratum) ?? { sum: 0, squares: 0 };
    strata.set(stratum, { sum: known.sum + value, squares: known.squares + value * value });
  }
  // (a - b)² of two that were drawn, with one that may not be there.
  const differences = [...strata.values()].map(({ sum, squares }) => Math.max(0, 2 * squares - sum * sum));
  const total = differences.reduce((sum, one) => sum + one, 0);
  const squares = differences.reduce((sum, one) => sum + one * one, 0);
  return {
    variance: weightOf(design) ** 2 * (1 - 2 / design.perStratum) * total,
    freedom: squares > 0 ? Math.max(1, Math.floor((total * total) / squares)) : 1,
  };
}

const sumOf = (seen: readonly Seen[], part: number): number =>
  seen.reduce((sum, { parts }) => sum + (parts[part] ?? 0), 0);

/** `counts`: how many there are, of which those that were seen are known to be. The first part is the rows. */
export function estimateTotal(seen: readonly Seen[], part: number, counts: boolean, design: Design): Estimate {
  const weight = weightOf(design);
  const sum = sumOf(seen, part);
  const numbers = seen.map(({ stretch, parts }): [number, number] => [stretch, parts[part] ?? 0]);
  const largest = numbers.reduce((most, [, value]) => Math.max(most, Math.abs(value)), 0);
  if (largest === 0) return counts ? estimateNone(mostRows(seen), design) : { value: 0, interval: [null, null] };
  // One more stretch like the largest, so that a group that lies in few says how little that is.
  const spread = spreadOf([...numbers, [-design.perStratum, largest]], design);
  const error = student(spread.freedom) * Math.sqrt(spread.variance);
  const value = weight * sum;
  const low = counts ? Math.max(sum, value - error) : value - error;
  return counts
    ? { value: Math.round(value), interval: [Math.floor(low), Math.ceil(value + error)] }
    : { value, interval: [low, value + error] };
}

/** Rows of the group in the stretch that has the most. */
export const mostRows = (seen: readonly Seen[]): number =>
  seen.reduce((most, { parts }) => Math.max(most, parts[0] ?? 0), 0);

/** What none was seen of, in a group with rows of which a stretch has at most so many. */
export const estimateNone = (most: number, { perStratum }: Design): Estimate => ({
  value: 0,
  interval: [0, Math.ceil((ruleOfThree / 2) * perStratum * most)],
});

export function estimateRatio(
  seen: readonly Seen[],
  [over, under]: readonly [over: number, under: number],
  isShare: boolean,
  design: Design,
): Estimate {
  const whole = sumOf(seen, under);
  if (whole === 0) return { value: null, interval: [null, null] };
  const value = sumOf(seen, over) / whole;
  if (seen.length < fewestStretches) return { value, interval: [null, null] };
  const spread = spreadOf(
    seen.map(({ stretch, parts }) => [stretch, (parts[over] ?? 0) - value * (parts[under] ?? 0)]),
    design,
  );
  const error = (student(spread.freedom) * Math.sqrt(spread.variance)) / (weightOf(design) * Math.abs(whole));
  if (!isShare) return { value, interval: [value - error, value + error] };
  // That none or all of what was seen are so is no proof that none or all are.
  const rest = Math.min(1, ruleOfThree / seen.length);
  const low = value >= 1 ? 1 - rest : Math.max(0, value - error);
  const high = value <= 0 ? rest : Math.min(1, value + error);
  return { value, interval: [low, high] };
}

export interface SeenPercentile {
  readonly share: number;
  readonly value: number | null;
  /** Places in `parts`: how many values there are, and how many up to `value`. */
  readonly values: number;
  readonly upTo: number;
  /** By share, ascending: the value below which so many of the sample are. */
  readonly curve: readonly (readonly [share: number, value: number])[];
}

/** Woodruff's: how sure it is which share lies below the value, read off the curve. */
export function estimatePercentile(
  seen: readonly Seen[],
  { share, value, values, upTo, curve }: SeenPercentile,
  design: Design,
): Estimate {
  const count = sumOf(seen, values);
  const withValues = seen.filter(({ parts }) => (parts[values] ?? 0) > 0);
  if (value === null || count === 0 || withValues.length < fewestStretches) return { value, interval: [null, null] };
  const below = sumOf(seen, upTo) / count;
  const spread = spreadOf(
    withValues.map(({ stretch, parts }) => [stretch, (parts[upTo] ?? 0) - below * (parts[values] ?? 0)]),
    design,
  );
  // Never surer than if rows had nothing to do with each other.
  const variance = Math.max(spread.variance / (weightOf(design) * count) ** 2, (share * (1 - share)) / count);
  const error = student(spread.freedom) * Math.sqrt(variance);
  return { value, interval: [readCurve(curve, share - error), readCurve(curve, share + error)] };
}

/** How far from a percentile's share the curve is known: 0.002, and each half as far again as the one before. */
const steps = Array.from({ length: 16 }, (_, index) => 0.002 * 1.5 ** index);

/** Shares at which the curve around one is known, ascending. */
export function sharesAround(share: number): number[] {
  const all = [0, ...steps.flatMap((step) => [share - step, share + step]), share, 1];
  const rounded = all.filter((one) => one >= 0 && one <= 1).map((one) => Number(one.toFixed(5)));
  return [...new Set(rounded)].toSorted((a, b) => a - b);
}

/** Null beyond its ends. */
function readCurve(curve: readonly (readonly [number, number])[], share: number): number | null {
  const after = curve.findIndex(([at]) => at >= share);
  const [upper, lower] = [curve[after], curve[after - 1]];
  if (!upper || share < 0) return null;
  if (!lower || upper[0] === share) return upper[1];
  const part = (share - lower[0]) / (upper[0] - lower[0]);
  return lower[1] + part * (upper[1] - lower[1]);
}

/** Of the sample there is one as great: of all there may be a greater one. */
export const boundOf = <Value>(of: 'min' | 'max' | 'any', value: Value): readonly [Value | null, Value | null] =>
  of === 'any' ? [null, null] : of === 'max' ? [value, null] : [null, value];

/** Of 1 to 10 degrees of freedom; of more, Cornish and Fisher's. */
const students = [12.71, 4.3, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];
const normal = 1.96;

function student(freedom: number): number {
  const known = students[freedom - 1];
  if (known !== undefined) return known;
  return normal + (normal ** 3 + normal) / (4 * freedom) + (5 * normal ** 5 + 16 * normal ** 3) / (96 * freedom ** 2);
}
