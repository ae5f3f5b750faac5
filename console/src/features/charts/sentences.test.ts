import { expect, test } from 'vitest';
import type { Point } from './bars.ts';
import { countsSentence, linesSentence } from './sentences.ts';

test('of lines the last and the highest value of each', () => {
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

test('of counts the sum and the peak', () => {
  const hours = (...counts: number[]): Point[] => counts.map((count, index) => [index * 3600, count]);
  expect(countsSentence(hours(2, 40, 1))).toBe('43 events, peak 40 at 1970-01-01 01:00');
  expect(countsSentence(hours(0))).toBe('No events');
  expect(countsSentence(hours(1, 0), 'item')).toBe('1 item, peak 1 at 1970-01-01 00:00');
});
