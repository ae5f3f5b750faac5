import { describe, expect, test } from 'vitest';
import { forecast, leastForecast } from './forecast.ts';

const day = 24;
/** So many hours up to the one in question; `at` gives the events of an hour by its distance from the first. */
const hours = (count: number, at: (hour: number) => number): number[] =>
  Array.from({ length: count }, (_, hour) => at(hour));

describe('what is usual is expected, several times over', () => {
  test('nothing known', () => expect(forecast([])).toBe(50));
  test('silent for two weeks', () => expect(forecast(hours(14 * day, () => 0))).toBe(leastForecast));
  test('flat: 100 an hour', () => expect(forecast(hours(14 * day, () => 100))).toBe(340));
  test('flat and rare: one an hour', () => expect(forecast(hours(14 * day, () => 1))).toBe(leastForecast));
  test('it grows with the issue', () => {
    const flat = (perHour: number) => forecast(hours(14 * day, () => perHour));
    expect([10, 1_000, 100_000].map(flat)).toEqual([43, 3127, 301_265]);
  });
});

describe('waves', () => {
  /** 200 from 9 to 17 o'clock, else 10; the hour asked for is the first of a day plus `hour`. */
  const daily = (hour: number) => hours(13 * day + hour, (at) => (at % day >= 9 && at % day < 17 ? 200 : 10));
  test('the busy time of the day is expected before it begins', () => expect(forecast(daily(9))).toBeGreaterThan(250));
  test('and at its height', () => expect(forecast(daily(13))).toBeGreaterThan(600));
  test('what the day reaches is no surprise at night', () => {
    expect(forecast(daily(3))).toBe(250);
  });

  test('Monday mornings of a weekly job', () => {
    const job = (at: number): number => (at % (7 * day) === 2 ? 500 : 1);
    const expected = forecast(hours(14 * day + 2, job));
    expect(expected).toBeGreaterThan(500);
  });
});

describe('bursts', () => {
  test('one burst of one day does not hide the next', () => {
    const once = hours(14 * day, (at) => (at === 100 ? 2_000 : 2));
    expect(forecast(once)).toBeLessThan(300);
  });
  test('who bursts on several days does not surprise', () => {
    const often = hours(14 * day, (at) => (at % 50 === 7 ? 2_000 : 2));
    expect(forecast(often)).toBe(2_500);
  });
});

describe('growth', () => {
  /** The first day, or hour, in which a series is beyond its forecast. */
  const surprisedAt = (counts: readonly number[]): number =>
    counts.findIndex((count, at) => at > 0 && count > forecast(counts.slice(Math.max(0, at - 14 * day), at)));
  test('a little more each day is no escalation', () => {
    expect(surprisedAt(hours(14 * day, (at) => Math.round(100 * 1.1 ** Math.floor(at / day))))).toBe(-1);
  });
  test('twice as much each hour is one within hours', () => {
    const flatThenDoubling = hours(10 * day, (at) => (at < 9 * day ? 10 : 10 * 2 ** (at - 9 * day)));
    expect(surprisedAt(flatThenDoubling) - 9 * day).toBeLessThanOrEqual(4);
  });
  test('an outage is one at once', () => {
    const counts = hours(14 * day, () => 30);
    expect(412 > forecast(counts)).toBe(true);
    expect(60 > forecast(counts)).toBe(false);
  });
});

describe('a young issue', () => {
  test('is given more room', () => expect(forecast([100, 100, 100])).toBe(540));
  test('of few events more still', () => expect(forecast([3])).toBe(50));
});

test('what somebody has accepted is usual', () => {
  expect(
    forecast(
      hours(14 * day, () => 5),
      10_000,
    ),
  ).toBeGreaterThan(30_000);
});
