import { expect, test } from 'vitest';
import { timeTickLabels } from './time-ticks.ts';

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
