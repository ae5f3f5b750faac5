/** How often intervals hold the truth, over generated tables whose rows come in bursts. */
import { expect, test } from 'vitest';
import {
  estimatePercentile,
  estimateRatio,
  estimateTotal,
  type Interval,
  type Seen,
  sharesAround,
} from './intervals.ts';
import { drawSample, randomOf, type SamplingLimits } from './sample.ts';

const stretchRows = 50;
const limits: SamplingLimits = { exactRows: 1000, stretches: 128, stretchRows };
const stretchesOfTable = 2_400;
const draws = 300;
const share = 0.9;

interface StretchOfRows {
  readonly rows: number;
  readonly failed: number;
  /** One a row of the group. */
  readonly values: readonly number[];
}

/** Runs of stretches that are all, half or hardly of the group, each with a level of its own, and rare bursts. */
function tableOf(seed: number): StretchOfRows[] {
  const random = randomOf(seed);
  const stretches: StretchOfRows[] = [];
  while (stretches.length < stretchesOfTable) {
    const length = 1 + Math.floor(random() ** 2 * 25);
    const part = [0, 0.02, 0.3, 1][Math.floor(random() * 4)] ?? 0;
    const isBurst = random() < 0.1;
    const level = Math.exp(random() * 2 + (isBurst ? 2 : 0));
    const failing = isBurst ? 0.4 : 0.02;
    for (let index = 0; index < length; index += 1) {
      const rows = Math.round(stretchRows * part * (0.7 + 0.3 * random()));
      const values = Array.from({ length: rows }, () => level * -Math.log(1 - random()));
      stretches.push({ rows, failed: values.filter(() => random() < failing).length, values });
    }
  }
  return stretches.slice(0, stretchesOfTable);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
const percentileOf = (sorted: readonly number[], at: number): number =>
  sorted[Math.max(1, Math.ceil(at * sorted.length)) - 1] ?? 0;
/** An end that is not known is no end. */
const holds = ([low, high]: Interval, truth: number): boolean =>
  (low ?? -Infinity) <= truth && truth <= (high ?? Infinity);
const isWhole = ([low, high]: Interval): boolean => low !== null && high !== null;

/** What the statement would bring of a sample, and what is true. */
function ask(table: readonly StretchOfRows[], seed: number) {
  const rows = table.length * stretchRows;
  const sample = drawSample(rows, rows, limits, seed);
  if (!sample) throw new Error('there is enough to draw from');
  const found = sample.drawn.flatMap((stretch) => {
    const of = table[stretch];
    return of && of.rows > 0 ? [{ stretch, of }] : [];
  });
  const seen = found.map(({ stretch, of }): Seen => ({ stretch, parts: [of.rows, of.failed, sum(of.values)] }));
  const sorted = found.flatMap(({ of }) => of.values).toSorted((a, b) => a - b);
  const value = percentileOf(sorted, share);
  return {
    count: estimateTotal(seen, 0, true, sample),
    total: estimateTotal(seen, 2, false, sample),
    rate: estimateRatio(seen, [1, 0], true, sample),
    mean: estimateRatio(seen, [2, 0], false, sample),
    percentile: estimatePercentile(
      found.map(({ stretch, of }) => ({ stretch, parts: [of.rows, of.values.filter((one) => one <= value).length] })),
      {
        share,
        value,
        values: 0,
        upTo: 1,
        curve: sharesAround(share).map((at) => [at, percentileOf(sorted, at)]),
      },
      sample,
    ),
  };
}

test('intervals hold the truth in at least 93 of 100 samples of tables whose rows come in bursts', () => {
  const inside = { count: 0, total: 0, rate: 0, mean: 0, percentile: 0 };
  const naive = { count: 0 };
  let whole = 0;
  const tables = Array.from({ length: 10 }, (_, seed) => {
    const table = tableOf(1 + seed);
    const sorted = table.flatMap(({ values }) => values).toSorted((a, b) => a - b);
    const truth = {
      count: sorted.length,
      total: sum(sorted),
      rate: sum(table.map(({ failed }) => failed)) / sorted.length,
      mean: sum(sorted) / sorted.length,
      percentile: percentileOf(sorted, share),
    };
    return { table, truth };
  });
  for (const [seed, { table, truth }] of Array.from({ length: draws / 10 }, () => tables)
    .flat()
    .entries()) {
    const estimates = ask(table, seed);
    for (const name of ['count', 'total', 'rate', 'mean', 'percentile'] as const) {
      if (holds(estimates[name].interval, truth[name])) inside[name] += 1;
      if (isWhole(estimates[name].interval)) whole += 1;
    }
    // What the formula for rows that have nothing to do with each other would say.
    const value = estimates.count.value ?? 0;
    const error = 1.96 * Math.sqrt((value * stretchesOfTable * stretchRows) / (128 * stretchRows));
    if (Math.abs(value - truth.count) <= error) naive.count += 1;
  }
  for (const [name, count] of Object.entries(inside)) expect(count / draws, name).toBeGreaterThanOrEqual(0.93);
  expect(whole / draws / 5).toBeGreaterThan(0.9);
  expect(naive.count / draws).toBeLessThan(0.8);
});

test('estimates are right on average, and intervals are no wider than they must be', () => {
  const table = tableOf(3);
  const count = sum(table.map(({ rows }) => rows));
  const found = Array.from({ length: draws }, (_, seed) => ask(table, seed + 1).count);
  const values = found.map(({ value }) => value ?? 0);
  const mean = sum(values) / draws;
  expect(Math.abs(mean - count) / count).toBeLessThan(0.02);
  const deviation = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)) / draws);
  const width = sum(found.map(({ interval: [low, high] }) => (high ?? 0) - (low ?? 0))) / draws;
  expect(width / (2 * 1.96 * deviation)).toBeLessThan(1.5);
});

const design = { perStratum: 20 };
const seenIn = (...stretches: readonly number[]): Seen[] => stretches.map((stretch) => ({ stretch, parts: [10, 0] }));

test('what lies in few stretches is known to be hardly known', () => {
  const { value, interval } = estimateTotal(seenIn(7), 0, true, design);
  expect(value).toBe(100);
  // Ten were seen; more than twice the estimate is possible.
  expect(interval[0]).toBe(10);
  expect(interval[1]).toBeGreaterThan(250);
  expect(estimateRatio(seenIn(1, 30, 50, 70), [1, 0], true, design).interval).toEqual([null, null]);
});

test('none seen is not none', () => {
  expect(estimateTotal(seenIn(1, 30), 1, true, design)).toEqual({ value: 0, interval: [0, 300] });
  expect(estimateTotal(seenIn(1, 30), 1, false, design)).toEqual({ value: 0, interval: [null, null] });
  const all = Array.from({ length: 60 }, (_, index) => index * 10);
  expect(estimateRatio(seenIn(...all), [1, 0], true, design)).toEqual({ value: 0, interval: [0, 0.05] });
  expect(estimateRatio(seenIn(...all), [0, 0], true, design)).toEqual({ value: 1, interval: [0.95, 1] });
  expect(estimateRatio([], [1, 0], true, design)).toEqual({ value: null, interval: [null, null] });
});
