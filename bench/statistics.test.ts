import { expect, test } from 'vitest';
import { distribution, spread } from './statistics.ts';

test('percentiles are of the nearest rank', () => {
  const samples = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(distribution(samples)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
  expect(distribution([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7, max: 7 });
  expect(distribution([]).p50).toBeNaN();
});

test('a median between two values, with the least and the most', () => {
  expect(spread([9, 1, 4])).toEqual({ median: 4, least: 1, most: 9 });
  expect(spread([1, 2, 10, 4])).toEqual({ median: 3, least: 1, most: 10 });
});
