import { expect, test } from 'vitest';
import { milliseconds } from '../performance/words.ts';
import { placeOfValue, roundStep, valueScale, valueTicks } from './scales.ts';

const line = (...values: (number | null)[]) => ({ values });
const labels = (...asked: Parameters<typeof valueTicks>): string[] => valueTicks(...asked).map(({ label }) => label);

test('the axis has room over the highest value, is never flat, and has what is compared with', () => {
  expect(valueScale([line(1, null, 100)], [], 1)).toEqual({ low: 0, high: 108 });
  expect(valueScale([line(null)], [], 5)).toEqual({ low: 0, high: 5 });
  expect(valueScale([line(1)], [{ value: 200 }], 1)).toEqual({ low: 0, high: 216 });
  expect(valueScale([line(1, -100)], [], 1).low).toBe(-108);
  expect([0, 54, 108].map((value) => placeOfValue(value, { low: 0, high: 108 }))).toEqual([1, 0.5, 0]);
});

test('steps are round; of counts whole; of durations those of a clock', () => {
  expect([0.3, 1, 1.1, 3, 6, 9.9, 45].map((least) => roundStep(least, 1))).toEqual([0.5, 1, 2, 5, 10, 10, 50]);
  expect(roundStep(0.3, 1, 'count')).toBe(1);
  expect([300, 700, 4_000, 11_000, 45_000, 3e6, 4e7].map((least) => roundStep(least, 1, 'duration'))).toEqual([
    500, 1_000, 5_000, 20_000, 60_000, 3_600_000, 43_200_000,
  ]);
});

test('ticks are as many as have room, and no two read the same', () => {
  expect(labels({ low: 0, high: 108 }, 120, String)).toEqual(['0', '50', '100']);
  expect(labels({ low: 0, high: 1.08 }, 120, String, 'count')).toEqual(['0', '1']);
  expect(labels({ low: 0, high: 3.24 }, 56, String, 'count')).toEqual(['0', '2']);
  expect(labels({ low: 0, high: 4.32 }, 30, String, 'count')).toEqual(['0', '4']);
  expect(labels({ low: -54, high: 108 }, 120, String)).toEqual(['-50', '0', '50', '100']);
  expect(labels({ low: 0, high: 0.3 }, 120, String)).toEqual(['0', '0.1', '0.2', '0.3']);
  expect(labels({ low: 0, high: 3 }, 200, () => 'same')).toEqual(['0', 'same']);
  expect(labels({ low: 0, high: 160_000 }, 120, milliseconds, 'duration')).toEqual(['0', '1\u00a0min', '2\u00a0min']);
  expect(labels({ low: 0, high: 0 }, 120, String)).toEqual([]);
});
