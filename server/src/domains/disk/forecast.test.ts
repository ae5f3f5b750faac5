import { describe, expect, test } from 'vitest';
import { forecast, growthOf, type Sample } from './forecast.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const gb = 1e9;
const nowMs = Date.parse('2026-11-26T12:00:00Z');

/** Hourly, up to now. */
const samples = (days: number, usedAt: (day: number, hour: number) => number): Sample[] =>
  Array.from({ length: days * 24 }, (_, index) => ({
    at: nowMs - (days * 24 - 1 - index) * hourMs,
    usedBytes: usedAt(index / 24, index),
  }));

const inDays = (at: number | null): number | null => at && Math.round((at - nowMs) / dayMs);
const full = (growing: readonly Sample[], bytes: number, oldestLeavesAt?: number) =>
  forecast(growthOf(growing, nowMs), { nowMs, bytes, oldestLeavesAt });

describe('growth', () => {
  test('is not known before a day of samples, nor from few', () => {
    expect(growthOf([], nowMs)).toBeUndefined();
    expect(growthOf(samples(1, (day) => day).slice(4), nowMs)).toBeUndefined();
    expect(
      growthOf(
        samples(10, (day) => day).filter((_, index) => index % 24 === 0),
        nowMs,
      ),
    ).toBeUndefined();
    expect(
      growthOf(
        samples(2, (day) => day * gb),
        nowMs,
      )?.perDay,
    ).toBeCloseTo(gb, -3);
  });

  test('is that of the last two weeks', () => {
    const other = samples(40, (day) => (day < 25 ? day * 10 * gb : 250 * gb + (day - 25) * gb));
    expect(growthOf(other, nowMs)?.perDay).toBeCloseTo(gb, -3);
  });

  test('is not tipped by merges, quiet nights and a disk that somebody else filled for a while', () => {
    const noisy = samples(14, (day, hour) => {
      const night = ((hour % 24) / 24) * 0.2 * gb;
      const merge = hour % 9 === 0 ? 8 * gb : 0;
      const other = day > 6 && day < 6.5 ? 60 * gb : 0;
      return 100 * gb + day * gb + night + merge + other;
    });
    const growth = growthOf(noisy, nowMs);
    expect(growth?.perDay).toBeGreaterThan(0.8 * gb);
    expect(growth?.perDay).toBeLessThan(1.2 * gb);
    expect(growth?.least).toBeLessThan(growth?.perDay ?? 0);
    expect(growth?.most).toBeGreaterThan(growth?.perDay ?? 0);
  });
});

describe('a forecast', () => {
  const steady = samples(14, (day) => day * gb);

  test('says when the disk is full', () => {
    const found = full(steady, 20 * gb);
    expect(found).toMatchObject({ kind: 'full' });
    if (found.kind !== 'full') return;
    expect([found.at, found.earliest, found.latest].map(inDays)).toEqual([20, 20, 20]);
  });

  test('says how sure it is, and that it may be never', () => {
    const uneven = samples(14, (day) => 50 * gb + day * gb + (day > 7 ? 9 * gb : 0) - (day > 12 ? 6 * gb : 0));
    const found = full(uneven, 20 * gb);
    expect(found.kind).toBe('full');
    if (found.kind !== 'full') return;
    expect(found.earliest).toBeLessThan(found.at);
    expect(found.latest === null || found.latest > found.at).toBe(true);
    const flat = samples(14, (_, hour) => (hour % 2) * 2 * gb + hour * 0.004 * gb);
    const sometime = full(flat, 2 * gb);
    if (sometime.kind === 'full') expect(sometime.latest).toBeNull();
  });

  test('says of more than 90 days that it is none, as of a disk that does not fill up', () => {
    expect(full(steady, 89 * gb).kind).toBe('full');
    expect(full(steady, 91 * gb).kind).toBe('none');
    expect(
      full(
        samples(14, () => gb),
        gb,
      ).kind,
    ).toBe('none');
    expect(
      full(
        samples(14, (day) => -day * gb),
        gb,
      ).kind,
    ).toBe('none');
    expect(full([], gb)).toEqual({ kind: 'unknown' });
  });

  test('goes no further than to the day on which data begins to age out', () => {
    expect(full(steady, 30 * gb, nowMs + 20 * dayMs).kind).toBe('none');
    expect(full(steady, 30 * gb, nowMs + 40 * dayMs).kind).toBe('full');
    // It ages out already, and the samples know.
    expect(full(steady, 30 * gb, nowMs + 3 * dayMs).kind).toBe('full');
    expect(full(steady, 30 * gb, nowMs - dayMs).kind).toBe('full');
  });

  test('of a full disk is now', () => {
    expect(full(steady, 0)).toMatchObject({ kind: 'full', at: nowMs, earliest: nowMs, latest: nowMs });
    expect(
      full(
        samples(14, () => gb),
        -5,
      ),
    ).toMatchObject({ kind: 'full', at: nowMs });
  });
});
