import { expect, test } from 'vitest';
import { columnAt, placeInTime, timeOfColumns, timeSpan } from './series.ts';

const span = timeSpan([600, 660, 720], 60);

test('a span goes until the end of its last bucket', () => {
  expect(span).toEqual({ from: 600, until: 780, columns: 3 });
  expect(timeSpan([], 60)).toEqual({ from: 0, until: 60, columns: 0 });
});

test('a moment is in the column whose bucket has it, and in none outside', () => {
  expect([599, 600, 659, 660, 779, 780].map((at) => columnAt(at, span))).toEqual([undefined, 0, 0, 1, 2, undefined]);
  expect(columnAt(undefined, span)).toBeUndefined();
  expect(columnAt(10, timeSpan([], 60))).toBeUndefined();
  expect(placeInTime(690, span)).toBe(0.5);
});

test('columns are whole buckets of time', () => {
  expect(timeOfColumns(1, 1, span)).toEqual({ startMs: 660_000, endMs: 720_000 });
  expect(timeOfColumns(0, 2, span)).toEqual({ startMs: 600_000, endMs: 780_000 });
});
