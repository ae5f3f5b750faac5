import { describe, expect, it } from 'vitest';
import { correctClock, parseTime, toSeconds } from './time.ts';

const at = Date.UTC(2026, 10, 21, 3, 0, 6, 184);
const minute = 60_000;
const day = 24 * 60 * minute;

describe('parseTime', () => {
  it.each([
    [at / 1000, at],
    [String(at / 1000), at],
    [at, at],
    ['2026-11-21T03:00:06.184Z', at],
    ['2026-11-21T03:00:06.184', at],
    ['2026-11-21 03:00:06,184', at],
    ['2026-11-21T04:00:06.184+01:00', at],
    ['2026-11-20T21:30:06.184-0530', at],
    ['2026-11-21', Date.UTC(2026, 10, 21)],
    ['2026-11-21T03:00Z', at - 6184],
    [0, 0],
    [-1, undefined],
    [Number.NaN, undefined],
    [Infinity, undefined],
    [1e18, undefined],
    ['2026-13-01', undefined],
    ['yesterday', undefined],
    ['1'.repeat(100), undefined],
    [null, undefined],
    [{}, undefined],
    [true, undefined],
  ])('%j', (value, expected) => {
    expect(parseTime(value)).toBe(expected);
  });

  it('keeps fractions below the millisecond', () => {
    expect(parseTime('2026-11-21T03:00:06.123456789Z')).toBeCloseTo(at - 60.543211, 5);
    expect(toSeconds(1795230006184.456)).toBe(1795230006.184456);
  });
});

describe('correctClock', () => {
  it.each([
    [
      'a clock that is right',
      { timestampMs: at - 5000, sentAtMs: at - 1000, receivedMs: at },
      { timestampMs: at - 5000, shiftMs: 0 },
    ],
    [
      '54 minutes off: nothing',
      { timestampMs: at - 54 * minute, sentAtMs: at - 54 * minute, receivedMs: at },
      { timestampMs: at - 54 * minute, shiftMs: 0 },
    ],
    [
      '55 minutes slow',
      { timestampMs: at - 55 * minute - 9, sentAtMs: at - 55 * minute, receivedMs: at },
      { timestampMs: at - 9, shiftMs: 55 * minute, remark: 'clock_drift' },
    ],
    [
      'two days fast',
      { timestampMs: at + 2 * day, sentAtMs: at + 2 * day, receivedMs: at },
      { timestampMs: at, shiftMs: -2 * day, remark: 'clock_drift' },
    ],
    [
      'no sent_at, two minutes ahead',
      { timestampMs: at + 2 * minute, receivedMs: at },
      { timestampMs: at, shiftMs: -2 * minute, remark: 'future_timestamp' },
    ],
    [
      'no sent_at, half a minute ahead',
      { timestampMs: at + minute / 2, receivedMs: at },
      { timestampMs: at + minute / 2, shiftMs: 0 },
    ],
    [
      '29 days old',
      { timestampMs: at - 29 * day, sentAtMs: at, receivedMs: at },
      { timestampMs: at - 29 * day, shiftMs: 0 },
    ],
    [
      'from 1970',
      { timestampMs: 0, sentAtMs: at, receivedMs: at },
      { timestampMs: at, shiftMs: at, remark: 'past_timestamp' },
    ],
    ['without a time', { receivedMs: at, sentAtMs: 0 }, { timestampMs: at, shiftMs: 0 }],
  ])('%s', (_name, times, expected) => {
    expect(correctClock(times)).toEqual(expected);
  });
});
