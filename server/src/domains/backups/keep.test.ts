import { expect, test } from 'vitest';
import { outdated, parseKeep } from './keep.ts';

const dayMs = 86_400_000;
const last = Date.UTC(2026, 10, 26, 3, 30);
/** One a day, `days` of them, the newest last. */
const daily = (days: number) =>
  Array.from({ length: days }, (_, index) => ({
    id: String(days - index),
    snapshotAt: last - (days - index - 1) * dayMs,
  }));
const kept = (backups: ReturnType<typeof daily>, rules: Parameters<typeof outdated>[1]): string[] => {
  const gone = new Set(outdated(backups, rules));
  return backups.map(({ id }) => id).filter((id) => !gone.has(id));
};

test('the newest of each day, week and month stay', () => {
  const year = daily(400);
  expect(kept(year, { daily: 3, weekly: 0, monthly: 0 })).toEqual(['3', '2', '1']);
  // 26 November 2026 is a Thursday: the newest of the weeks before is of their Sunday.
  expect(kept(year, { daily: 0, weekly: 3, monthly: 0 })).toEqual(['12', '5', '1']);
  expect(kept(year, { daily: 0, weekly: 0, monthly: 3 })).toEqual(['58', '27', '1']);
  expect(kept(year, { daily: 2, weekly: 2, monthly: 2 })).toEqual(['27', '5', '2', '1']);
});

test('several of one day are one, and the newest of all always stays', () => {
  const hourly = [0, 1, 2].map((hour) => ({ id: `h${hour}`, snapshotAt: last + hour * 3_600_000 }));
  expect(outdated(hourly, { daily: 5, weekly: 0, monthly: 0 })).toEqual(['h0', 'h1']);
  expect(outdated(hourly, { daily: 0, weekly: 0, monthly: 1 })).toEqual(['h0', 'h1']);
  expect(outdated([], { daily: 1, weekly: 0, monthly: 0 })).toEqual([]);
});

test.each([
  ['daily=7,weekly=4,monthly=6', { daily: 7, weekly: 4, monthly: 6 }],
  [' monthly = 12 ', { daily: 0, weekly: 0, monthly: 12 }],
  ['daily=0', undefined],
  ['yearly=1', undefined],
  ['daily=7;weekly=4', undefined],
  ['daily=-1', undefined],
  ['', undefined],
])('%j is read as %j', (text, rules) => {
  expect(parseKeep(text)).toEqual(rules);
});
