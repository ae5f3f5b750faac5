import { expect, test } from 'vitest';
import { buildBars, chartSentence, mergePoints, type Point } from './bars.ts';

const hours = (...counts: number[]): Point[] => counts.map((count, index) => [index * 3600, count]);

test('the tallest bar fills the height, a single event stays visible, nothing is nothing', () => {
  const bars = buildBars(hours(1000, 1, 0), 30, 20);
  expect(bars.map((bar) => bar.height)).toEqual([20, 2, 0]);
  expect(bars.map((bar) => bar.y)).toEqual([0, 18, 20]);
  expect(bars.map((bar) => bar.x)).toEqual([0, 10, 20]);
  expect(bars[1]).toMatchObject({ start: 3_600_000, end: 7_200_000, count: 1, width: 8 });
});

test('no points, no bars; all zero is flat', () => {
  expect(buildBars([], 30, 20)).toEqual([]);
  expect(buildBars(hours(0, 0), 30, 20).every((bar) => bar.height === 0)).toBe(true);
});

test('merging keeps the sum and the first time', () => {
  expect(mergePoints(hours(1, 2, 3, 4, 5), 2)).toEqual([
    [0, 6],
    [10_800, 9],
  ]);
  expect(mergePoints(hours(1, 2), 5)).toEqual(hours(1, 2));
});

test('the sentence names sum and peak', () => {
  expect(chartSentence(hours(2, 40, 1))).toBe('43 events, peak 40 at 1970-01-01 01:00');
  expect(chartSentence(hours(0))).toBe('No events');
  expect(chartSentence(hours(1, 0))).toBe('1 event, peak 1 at 1970-01-01 00:00');
});
