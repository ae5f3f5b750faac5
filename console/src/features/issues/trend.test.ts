import { expect, test } from 'vitest';
import { trendOf } from './trend.ts';

test('a series says of which time it is', () => {
  const points: [number, number][] = [[1_795_219_200, 3]];
  expect(trendOf({ stats: { '14d': points } })).toEqual({ points, time: 'Last 14 days' });
  expect(trendOf({ stats: { range: points } }).time).toBe('Selected time');
  expect(trendOf({ stats: {} }).points).toEqual([]);
});
