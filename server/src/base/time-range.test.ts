import { expect, test } from 'vitest';
import { lastPeriod, parseTimeRange, seriesOf } from './time-range.ts';

const now = Date.parse('2026-11-21T10:20:30.400Z');
const hour = 3_600_000;

test('a short period is exact, a day begins at a full hour, weeks at a full day', () => {
  expect(lastPeriod('1h', now)).toMatchObject({ startMs: now - hour, grain: 'ms', bucketMs: 60_000, buckets: 60 });
  const day = lastPeriod('24h', now);
  expect(new Date(day.startMs).toISOString()).toBe('2026-11-20T10:00:00.000Z');
  expect(day).toMatchObject({ grain: 'hour', bucketMs: hour, buckets: 25, open: true, label: '24h' });
  const weeks = lastPeriod('14d', now);
  expect(new Date(weeks.startMs).toISOString()).toBe('2026-11-07T00:00:00.000Z');
  expect(weeks).toMatchObject({ grain: 'day', bucketMs: 3 * hour });
});

test('there are never more buckets than asked for', () => {
  for (const period of ['1m', '59m', '6h', '13h', '3d', '8d', '90d', '400d', '3650d']) {
    for (const most of [60, 120, 300]) expect(lastPeriod(period, now, most).buckets).toBeLessThanOrEqual(most);
  }
});

test('start and end; without a zone they are UTC', () => {
  const range = parseTimeRange({ start: '2026-11-01T10:30:00', end: '2026-11-03' }, now);
  expect(range).toMatchObject({ open: false, label: 'range', grain: 'hour' });
  expect(new Date(range?.startMs ?? 0).toISOString()).toBe('2026-11-01T10:00:00.000Z');
  expect(new Date(range?.endMs ?? 0).toISOString()).toBe('2026-11-03T00:00:00.000Z');
  expect(parseTimeRange({ start: '2026-11-21T10:00:00+01:00' }, now)).toMatchObject({ open: true, grain: 'ms' });
  expect(parseTimeRange({ statsPeriod: '' }, now)).toBeUndefined();
});

test.each([
  [{ end: '2026-01-01' }, /start/],
  [{ start: 'yesterday' }, /Start must be a time/],
  [{ start: '2026-01-02', end: '2026-01-01' }, /after/],
  [{ start: '1026-01-02' }, /ten years/],
  [{ statsPeriod: '99999w' }, /ten years/],
  [{ statsPeriod: '0h' }, /greater than zero/],
])('%j is refused', (request, message) => {
  expect(() => parseTimeRange(request, now)).toThrow(message);
});

test('a series has every bucket', () => {
  const range = lastPeriod('24h', now);
  const series = seriesOf(range, new Map([[24, 7]]));
  expect(series).toHaveLength(25);
  expect(series[0]).toEqual([Date.parse('2026-11-20T10:00:00Z') / 1000, 0]);
  expect(series[24]).toEqual([Date.parse('2026-11-21T10:00:00Z') / 1000, 7]);
});
