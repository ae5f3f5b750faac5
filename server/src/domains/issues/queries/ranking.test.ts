import { expect, test } from 'vitest';
import { lastPeriod, parseTimeRange } from '../../../base/time-range.ts';
import { rankingWindows } from './ranking.ts';

// A Saturday.
const now = Date.parse('2026-11-21T11:00:00Z');

const spans = (windows: ReturnType<typeof rankingWindows>): unknown[] =>
  windows.map(({ startMs, endMs, open }) => [
    new Date(startMs).toISOString().slice(0, 13),
    new Date(endMs).toISOString().slice(0, 13),
    open,
  ]);

test('a list by last event looks at this week, then the last, then all before', () => {
  expect(spans(rankingWindows(lastPeriod('30d', now), 'date'))).toEqual([
    ['2026-11-16T00', '2026-11-21T11', true],
    ['2026-11-09T00', '2026-11-16T00', false],
    ['2026-10-22T00', '2026-11-09T00', false],
  ]);
});

test('windows end where the range ends, on either side', () => {
  const range = parseTimeRange({ start: '2026-11-10T00:00:00Z', end: '2026-11-16T00:00:00Z' }, now);
  expect(range && spans(rankingWindows(range, 'date'))).toEqual([['2026-11-10T00', '2026-11-16T00', false]]);
  expect(spans(rankingWindows(lastPeriod('24h', now), 'date'))).toEqual([['2026-11-20T11', '2026-11-21T11', true]]);
});

test('other orders need the whole range', () => {
  const range = lastPeriod('30d', now);
  expect(rankingWindows(range, 'freq')).toEqual([range]);
});
