import { expect, test } from 'vitest';
import { createReportLimiter } from './limiter.ts';

test('a burst, then a trickle', () => {
  let at = 0;
  const limiter = createReportLimiter({ burst: 3, refillMs: 100, now: () => at });
  expect(['a', 'b', 'c', 'd'].map((kind) => limiter.take(kind))).toEqual([true, true, true, false]);
  at = 99;
  expect(limiter.take('e')).toBe(false);
  at = 200;
  expect(['f', 'g', 'h'].map((kind) => limiter.take(kind))).toEqual([true, true, false]);
  expect(limiter.refused()).toBe(3);
  expect(limiter.refused()).toBe(0);
});

test('few of one kind in a while, which take nothing from others', () => {
  let at = 0;
  const limiter = createReportLimiter({ burst: 5, burstPerKind: 2, windowMs: 1_000, now: () => at });
  expect([1, 2, 3, 4].map(() => limiter.take('loop'))).toEqual([true, true, false, false]);
  expect(limiter.take('other')).toBe(true);
  at = 1_000;
  const refilled = createReportLimiter({ burst: 9, burstPerKind: 2, windowMs: 1_000, now: () => at });
  expect([refilled.take('loop'), refilled.take('loop'), refilled.take('loop')]).toEqual([true, true, false]);
  at = 2_000;
  expect(refilled.take('loop')).toBe(true);
});

test('what repeats leaves most of the burst to failures that were not reported yet', () => {
  let at = 0;
  const limiter = createReportLimiter({ burst: 20, refillMs: 100, now: () => at });
  const jobs = ['a', 'b', 'c', 'd', 'e'];
  const takeTwice = (): number => [...jobs, ...jobs].filter((kind) => limiter.take(kind)).length;
  expect(takeTwice()).toBe(5);
  at = 400;
  expect(takeTwice()).toBe(4);
  expect(Array.from({ length: 16 }, (_, kind) => limiter.take(String(kind))).filter(Boolean).length).toBe(15);
  at = 3_600_000;
  expect(takeTwice()).toBe(5);
});

test('endless kinds take no endless memory, and pass as one', () => {
  const limiter = createReportLimiter({ burst: 10_000, burstPerKind: 5, now: () => 0 });
  const passed = Array.from({ length: 5_000 }, (_, kind) => limiter.take(String(kind))).filter(Boolean);
  expect(passed.length).toBe(1_005);
});
