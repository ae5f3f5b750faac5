import { expect, test } from 'vitest';
import { barPieces, bucketOf, highestColumn, mergePoints, type Point } from './bars.ts';

const hours = (...counts: number[]): Point[] => counts.map((count, index) => [index * 3600, count]);
const counts = (...values: number[]) => ({ values });
const shape = { stacked: true, least: 0.1, gap: 0.2 };

test('merging keeps the sum and the first time', () => {
  expect(mergePoints(hours(1, 2, 3, 4, 5), 2)).toEqual([
    [0, 6],
    [10_800, 9],
  ]);
  expect(mergePoints(hours(1, 2), 5)).toEqual(hours(1, 2));
  expect(bucketOf(hours(1, 2))).toBe(3600);
  expect(bucketOf([[60, 1]])).toBe(3600);
});

test('the tallest bar fills the height, a single event stays visible, nothing is nothing', () => {
  const pieces = barPieces([counts(1000, 1, 0)], 1000, shape);
  expect(pieces.map(({ column, height, left, width }) => [column, height, left, width])).toEqual([
    [0, 1, 0.1, 0.8],
    [1, 0.1, 0.1, 0.8],
  ]);
  expect(barPieces([], 1, shape)).toEqual([]);
});

test('stacked pieces stand on each other, with a seam between those that have room for one', () => {
  const series = [counts(40, 0), counts(60, 1)];
  expect(highestColumn(series, true)).toBe(100);
  const pieces = barPieces(series, 100, { ...shape, seam: 0.05 });
  expect(pieces.map(({ series: index, column, bottom, height }) => [index, column, bottom, height])).toEqual([
    [0, 0, 0, 0.35000000000000003],
    [1, 0, 0.4, 0.5499999999999999],
    [1, 1, 0, 0.1],
  ]);
});

test('grouped pieces stand side by side', () => {
  const series = [counts(40), counts(60)];
  expect(highestColumn(series, false)).toBe(60);
  const pieces = barPieces(series, 60, { ...shape, stacked: false });
  expect(pieces.map(({ left, width, bottom }) => [left, width, bottom])).toEqual([
    [0.1, 0.4, 0],
    [0.5, 0.4, 0],
  ]);
});
