import { expect, test } from 'vitest';
import type { Point } from './bars.ts';
import { countsSentence } from './counts.ts';

test('the sentence has the sum and the peak', () => {
  const hours = (...counts: number[]): Point[] => counts.map((count, index) => [index * 3600, count]);
  expect(countsSentence(hours(2, 40, 1))).toBe('43 events, peak 40 at 1970-01-01 01:00');
  expect(countsSentence(hours(0))).toBe('No events');
  expect(countsSentence(hours(1, 0), 'item')).toBe('1 item, peak 1 at 1970-01-01 00:00');
});
