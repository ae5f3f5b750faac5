import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketsOf, maxBuckets, parseInterval } from './buckets.ts';

const minute = 60_000;
const range = (startMs: number, lengthMs: number) => ({ startMs, endMs: startMs + lengthMs, open: false });

test.each([
  ['5m', 5 * minute],
  ['300', 5 * minute],
  ['1d', 1440 * minute],
  ['2w', 14 * 1440 * minute],
  ['1s', 1000],
  ['0', undefined],
  ['', undefined],
  [undefined, undefined],
])('an interval of %j', (text, ms) => {
  expect(parseInterval(text)).toBe(ms);
});

test('buckets begin at whole multiples of their length', () => {
  const start = Date.UTC(2026, 0, 1, 10, 7, 30);
  expect(bucketsOf(range(start, 60 * minute), 5 * minute)).toEqual({
    startMs: Date.UTC(2026, 0, 1, 10, 5),
    bucketMs: 5 * minute,
    count: 13,
  });
});

test('an interval that makes too many is made longer', () => {
  expect(bucketsOf(range(0, 1440 * minute), 1000).bucketMs).toBe(5 * minute);
  expect(bucketsOf(range(0, 3660 * 1440 * minute), 1000).count).toBeLessThanOrEqual(maxBuckets);
});

test('whatever is asked, there are few, and they cover the range', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 4e12 }),
      fc.integer({ min: 1, max: 3660 * 1440 * minute }),
      fc.option(fc.integer({ min: 1000, max: 1e15 }), { nil: undefined }),
      (startMs, lengthMs, interval) => {
        const buckets = bucketsOf(range(startMs, lengthMs), interval);
        expect(buckets.count).toBeLessThanOrEqual(maxBuckets);
        expect(buckets.startMs).toBeLessThanOrEqual(startMs);
        expect(buckets.startMs + buckets.count * buckets.bucketMs).toBeGreaterThanOrEqual(startMs + lengthMs);
      },
    ),
  );
});
