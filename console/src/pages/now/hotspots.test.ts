import { expect, test } from 'vitest';
import { isUnusual, timesUsual } from './hotspots.ts';

test.each([
  [{ count: 60, usual: 10 }, '6×', true],
  [{ count: 2400, usual: 2 }, '1,200×', true],
  [{ count: 12, usual: 10 }, 'as usual', false],
  [{ count: 3, usual: 10 }, 'fewer', false],
  [{ count: 9, usual: 0 }, 'new', false],
  [{ count: 48, usual: 0 }, 'new', true],
])('%o', (spot, text, unusual) => {
  expect(timesUsual(spot)).toBe(text);
  expect(isUnusual(spot)).toBe(unusual);
});
