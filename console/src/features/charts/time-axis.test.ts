import { expect, test } from 'vitest';
import { timeTickLabels, timeTicks } from './time-axis.ts';

const at = (day: number, hour: number): number => new Date(2026, 10, day, hour).getTime() / 1000;

test('ticks are hours within days, and days over weeks', () => {
  expect(timeTickLabels([at(20, 18), at(21, 0), at(21, 6)])).toEqual(['18:00', 'Nov 21', '06:00']);
  expect(timeTickLabels([at(14, 0), at(16, 0), at(18, 0)])).toEqual(['Nov 14', 'Nov 16', 'Nov 18']);
  expect(timeTickLabels([])).toEqual([]);
});

test('no day stands on an axis twice', () => {
  expect(timeTickLabels([at(16, 0), at(16, 12), at(17, 0), at(17, 12)])).toEqual([
    'Nov 16',
    '12:00',
    'Nov 17',
    '12:00',
  ]);
});

const span = (from: number, hours: number) => ({ from, until: from + hours * 3600, columns: hours });

test('ticks stand at whole steps of the clock, as many as have room', () => {
  const ticks = timeTicks(span(at(20, 18) + 60, 12), 400);
  expect(ticks.map(({ label }) => label)).toEqual(['21:00', 'Nov 21', '03:00', '06:00']);
  expect(ticks[0]?.place).toBeCloseTo((3 * 3600 - 60) / (12 * 3600), 6);
  expect(timeTicks(span(at(20, 18), 12), 5000).length).toBeGreaterThan(40);
});

test('over days they stand at midnights, over years at few of them', () => {
  const days = timeTicks(span(at(3, 7), 14 * 24), 600);
  expect(days.map(({ value }) => new Date(value * 1000).getHours()).every((hours) => hours === 0)).toBe(true);
  expect(days[0]?.label).toBe('Nov 4');
  expect(timeTicks(span(at(3, 7), 15 * 365 * 24), 600).length).toBeLessThanOrEqual(9);
  expect(timeTicks({ from: 5, until: 5, columns: 0 }, 600)).toEqual([]);
});
