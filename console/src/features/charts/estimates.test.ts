import { expect, test } from 'vitest';
import { hasRangeBands, offBy, pointWords, rangeRuns } from './estimates.ts';

const line = (...values: (number | null)[]) => ({ label: 'p95', values, token: '--accent' as const });

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
  expect(hasRangeBands([estimated, line(1), line(2), estimated])).toBe(true);
  expect(hasRangeBands([estimated, estimated, estimated])).toBe(false);
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
  // Among those that are estimated, one that is exact.
  expect(pointWords({ values, ranges: [[100, 100]] }, 0, String)).toBe('100');
  expect(offBy(1000, [996, 1004])).toBe('±0.4%');
});
