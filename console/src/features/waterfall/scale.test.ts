import { describe, expect, test } from 'vitest';
import { formatWindow, mergedPlaces, panned, parseWindow, place, ticksOf, within, zoomed } from './scale.ts';

const second = 1_000_000;
const all = { fromUs: 0, untilUs: 10 * second };

describe('places', () => {
  const window = { fromUs: 2 * second, untilUs: 6 * second };
  test.each([
    [3 * second, second, { left: 0.25, width: 0.25, outside: undefined }],
    [0, 4 * second, { left: 0, width: 0.5, outside: undefined }],
    [5 * second, 100 * second, { left: 0.75, width: 0.25, outside: undefined }],
    [4 * second, 0, { left: 0.5, width: 0, outside: undefined }],
    [0, second, { left: 0, width: 0, outside: 'before' }],
    [7 * second, second, { left: 1, width: 0, outside: 'after' }],
  ])('a span from %d for %d', (offset, duration, placed) => {
    expect(place(window, offset, duration)).toEqual(placed);
  });

  test('a trace without duration divides by nothing', () => {
    expect(place({ fromUs: 0, untilUs: 0 }, 0, 0)).toEqual({ left: 0, width: 0, outside: undefined });
  });

  test('bars that touch are one', () => {
    const spans = [0, 1, 5].map((at) => ({ offsetUs: at * 2.5 * second, durationUs: 2.5 * second }));
    expect(mergedPlaces({ fromUs: 0, untilUs: 20 * second }, spans)).toEqual([
      { left: 0, width: 0.25 },
      { left: 0.625, width: 0.125 },
    ]);
    const many = Array.from({ length: 20_000 }, (_, at) => ({ offsetUs: at * 500, durationUs: 10 }));
    expect(mergedPlaces(all, many).length).toBeLessThanOrEqual(250);
  });
});

describe('the window', () => {
  test('zooms around its middle and stays within its bounds', () => {
    expect(zoomed(all, all, 0.5)).toEqual({ fromUs: 2.5 * second, untilUs: 7.5 * second });
    expect(zoomed(all, all, 0.5, 0)).toEqual({ fromUs: 0, untilUs: 5 * second });
    expect(zoomed(all, all, 3)).toEqual(all);
  });

  test('is never shorter than can be read, nor longer than the bounds', () => {
    const least = zoomed(all, all, 0);
    expect(least.untilUs - least.fromUs).toBe(10);
    expect(within({ fromUs: -5, untilUs: 99 * second }, all)).toEqual(all);
    expect(within({ fromUs: 3, untilUs: 4 }, { fromUs: 0, untilUs: 1 })).toEqual({ fromUs: 0, untilUs: 1 });
  });

  test('is moved as far as there is something', () => {
    const window = { fromUs: 2 * second, untilUs: 4 * second };
    expect(panned(window, all, 0.5)).toEqual({ fromUs: 3 * second, untilUs: 5 * second });
    expect(panned(window, all, 100)).toEqual({ fromUs: 8 * second, untilUs: 10 * second });
    expect(panned(window, all, -100)).toEqual({ fromUs: 0, untilUs: 2 * second });
  });

  test('stands in the address', () => {
    expect(parseWindow(formatWindow({ fromUs: 120_000, untilUs: 340_000 }))).toEqual({
      fromUs: 120_000,
      untilUs: 340_000,
    });
    for (const text of [undefined, '', '5', '9-3', '-1-5', '1-2-3', 'a-b', '1e3-2e3'])
      expect(parseWindow(text)).toBeUndefined();
  });
});

describe('ticks', () => {
  const labels = (fromUs: number, untilUs: number, most = 8, origin = 0): string[] =>
    ticksOf({ fromUs, untilUs }, most, origin).map(({ label }) => label);

  test.each([
    [second, ['0', '200\u00a0ms', '400\u00a0ms', '600\u00a0ms', '800\u00a0ms', '1\u00a0s']],
    [90, ['0', '20\u00a0µs', '40\u00a0µs', '60\u00a0µs', '80\u00a0µs']],
    [3600 * second, ['0', '10\u00a0min', '20\u00a0min', '30\u00a0min', '40\u00a0min', '50\u00a0min', '1\u00a0h']],
    [365 * 86_400 * second, ['0', '60\u00a0d', '120\u00a0d', '180\u00a0d', '240\u00a0d', '300\u00a0d', '360\u00a0d']],
  ])('of %d µs are round', (total, expected) => {
    expect(labels(0, total)).toEqual(expected);
  });

  test('within a window, counted from where it begins', () => {
    expect(labels(1.5 * second, 2.5 * second, 4)).toEqual(['1.5\u00a0s', '2\u00a0s', '2.5\u00a0s']);
    expect(labels(1.5 * second, 2.5 * second, 4, 1.5 * second)).toEqual(['0', '500\u00a0ms', '1\u00a0s']);
  });

  test('are few, however long or short the trace', () => {
    for (const total of [0, 1, 7, 1234, 1e7, 1e12, 1e15]) {
      const { length } = ticksOf({ fromUs: 0, untilUs: total }, 8);
      expect(length, String(total)).toBeGreaterThan(0);
      expect(length, String(total)).toBeLessThanOrEqual(10);
    }
  });
});
