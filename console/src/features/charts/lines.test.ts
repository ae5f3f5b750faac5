import { expect, test } from 'vitest';
import { linesSentence, lonePoints, placeLabels } from './lines.ts';

test('a value between gaps is a point', () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonePoints([])).toEqual([]);
});

test('names of lines keep their order and do not touch', () => {
  expect(placeLabels([10, 12, 60], 13, 100)).toEqual([10, 23, 60]);
  expect(placeLabels([99, 98], 13, 100)).toEqual([100, 87]);
  expect(placeLabels([], 13, 100)).toEqual([]);
});

test('the sentence has the last and the highest value of each line', () => {
  const words = (...values: (number | null)[]): string =>
    linesSentence(
      [{ label: 'p95', values }],
      [0, 60, 120],
      (value) => `${value} ms`,
      (ms) => `second ${ms / 1000}`,
    );
  expect(words(3, 9, 4)).toBe('p95: last 4 ms, highest 9 ms at second 60');
  expect(words(0, null, null)).toBe('p95: last 0 ms, highest 0 ms at second 0');
  expect(words(null, null, null)).toBe('No data');
});
