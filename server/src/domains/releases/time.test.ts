import { expect, test } from 'vitest';
import { parseTimeInput } from './time.ts';

test.each([
  ['2026-11-21T03:04:16.243133311Z', '2026-11-21T03:04:16.243Z'],
  ['2026-11-21T03:04:16Z', '2026-11-21T03:04:16.000Z'],
  ['2026-11-21T03:04:16.5+02:00', '2026-11-21T01:04:16.500Z'],
  ['2026-11-21 03:04:16', '2026-11-21T03:04:16.000Z'],
  ['2026-11-21T03:04', '2026-11-21T03:04:00.000Z'],
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  [1_795_316_656.5, '2026-11-22T03:04:16.500Z'],
])('%s', (value, iso) => {
  expect(new Date(parseTimeInput('dateReleased', value)).toISOString()).toBe(iso);
});

test.each(['', 'now', '2026-13-01T00:00:00Z', '2026-01-01T25:00:00Z', '1e9', '-000001-01-01T00:00:00Z'])(
  'not %j',
  (value) => {
    expect(() => parseTimeInput('dateReleased', value)).toThrow('dateReleased: must be a time');
  },
);

test('not numbers that are no time', () => {
  for (const value of [Number.NaN, Infinity, -1, 1e15]) expect(() => parseTimeInput('x', value)).toThrow('x: ');
});
