import { expect, test } from 'vitest';
import {
  brushedRange,
  chartSentence,
  hasBands,
  highest,
  lonePoints,
  lowest,
  marksLabel,
  offBy,
  placeLabels,
  placeMarks,
  pointWords,
  rangeRuns,
  type ChartMark,
  wholeSteps,
} from './model.ts';

const line = (...values: (number | null)[]) => ({ label: 'p95', values, token: '--op-http' as const });
const mark = (at: number): ChartMark => ({ at, label: `v${at}`, detail: `v${at} deployed`, version: `v${at}` });

test('marks stand by their time; those that would touch are one; those outside are none', () => {
  const placed = placeMarks([mark(50), mark(10), mark(52), mark(500), mark(-1)], { from: 0, until: 100 }, 200);
  expect(placed.map(({ x, marks }) => [x, marks.map(({ at }) => at)])).toEqual([
    [20, [10]],
    [100, [50, 52]],
  ]);
  expect(placed.map((each) => marksLabel(each))).toEqual(['v10', '2 releases']);
  expect(placeMarks([mark(5)], { from: 0, until: 0 }, 0)).toEqual([]);
});

test('what is drawn becomes whole buckets within the chart', () => {
  const times = [0, 60, 120, 180];
  expect(brushedRange(70, 130, times, 60)).toEqual({ startMs: 60_000, endMs: 180_000 });
  expect(brushedRange(130, 70, times, 60)).toEqual({ startMs: 60_000, endMs: 180_000 });
  expect(brushedRange(-500, 9000, times, 60)).toEqual({ startMs: 0, endMs: 240_000 });
  expect(brushedRange(60, 60, times, 60)).toBeUndefined();
  expect(brushedRange(0, 60, [], 60)).toBeUndefined();
});

test('a value between gaps is a point', () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonePoints([])).toEqual([]);
});

test('the axis has room over the highest value and is never flat', () => {
  expect(highest([line(1, null, 100)], 1)).toBe(108);
  expect(highest([line(null)], 5)).toBe(5);
  expect(lowest([line(1, null, -100)])).toBe(-108);
  expect(lowest([line(3)])).toBe(0);
});

test('names of lines keep their order and do not touch', () => {
  expect(placeLabels([10, 12, 60], 13, 100)).toEqual([10, 23, 60]);
  expect(placeLabels([99, 98], 13, 100)).toEqual([100, 87]);
  expect(placeLabels([], 13, 100)).toEqual([]);
});

test('the sentence has the last and the highest value of each line', () => {
  const words = (...series: ReturnType<typeof line>[]): string =>
    chartSentence(
      series,
      [0, 60, 120],
      (value) => `${value} ms`,
      (ms) => `second ${ms / 1000}`,
    );
  expect(words(line(3, 9, 4))).toBe('p95: last 4 ms, highest 9 ms at second 60');
  expect(words(line(0, null, null))).toBe('p95: last 0 ms, highest 0 ms at second 0');
  expect(words(line(null, null, null))).toBe('Nothing was measured');
});

test('counts have whole steps', () => {
  expect(wholeSteps.slice(0, 7)).toEqual([1, 2, 5, 10, 20, 50, 100]);
  expect(wholeSteps.every(Number.isInteger)).toBe(true);
});

test('bands are drawn where ranges are known, and only of so many lines that one sees them', () => {
  expect(rangeRuns(undefined)).toEqual([]);
  expect(
    rangeRuns([
      [1, 2],
      [null, 3],
      [4, 5],
      [6, 7],
    ]),
  ).toEqual([
    [{ index: 0, low: 1, high: 2 }],
    [
      { index: 2, low: 4, high: 5 },
      { index: 3, low: 6, high: 7 },
    ],
  ]);
  const estimated = { ...line(1), ranges: [[0, 2]] as const };
  expect(hasBands([estimated, line(1), line(2), estimated])).toBe(true);
  expect(hasBands([estimated, estimated, estimated])).toBe(false);
});

test('a point says how far it may be off', () => {
  const values = [100, 100, 0, 50, null];
  const ranges = [
    [92, 107],
    [null, 120],
    [0, 9],
    [1, 151],
    [null, null],
  ] as const;
  const words = values.map((_, index) => pointWords({ values, ranges }, index, String));
  expect(words).toEqual(['100 ±8%', '100 ±?', '0 ±>100%', '50 ±>100%', '–']);
  expect(pointWords({ values }, 0, String)).toBe('100');
  expect(offBy(1000, [996, 1004])).toBe('±0.4%');
});
