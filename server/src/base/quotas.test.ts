import { describe, expect, test } from 'vitest';
import { itemTypes } from '@culprit/envelope';
import { monthName, quotaCategories, quotaCategoryOf, quotaTermAt, sdkCategories } from './quotas.ts';

const at = (iso: string): number => Date.parse(iso);
const month = (iso: string, timeZone: string) => {
  const { number, startMs, endMs } = quotaTermAt('month', at(iso), timeZone);
  return [monthName(number), new Date(startMs).toISOString(), new Date(endMs).toISOString()];
};

describe('a month', () => {
  test.each([
    // On both sides of a midnight in Berlin: an hour of winter time, two of summer time.
    ['2026-10-31T22:59:59.999Z', 'Europe/Berlin', '2026-10', '2026-09-30T22:00:00.000Z', '2026-10-31T23:00:00.000Z'],
    ['2026-10-31T23:00:00.000Z', 'Europe/Berlin', '2026-11', '2026-10-31T23:00:00.000Z', '2026-11-30T23:00:00.000Z'],
    ['2026-03-31T21:59:59.999Z', 'Europe/Berlin', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['2026-12-31T23:30:00.000Z', 'UTC', '2026-12', '2026-12-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z'],
    [
      '2026-12-31T23:30:00.000Z',
      'Pacific/Kiritimati',
      '2027-01',
      '2026-12-31T10:00:00.000Z',
      '2027-01-31T10:00:00.000Z',
    ],
    ['2024-02-29T12:00:00.000Z', 'Asia/Kathmandu', '2024-02', '2024-01-31T18:15:00.000Z', '2024-02-29T18:15:00.000Z'],
    // There is no midnight on that day: clocks go from 24:00 to 01:00.
    ['2017-10-01T12:00:00.000Z', 'America/Asuncion', '2017-10', '2017-10-01T04:00:00.000Z', '2017-11-01T03:00:00.000Z'],
    // There are two of them on that day, and the month begins with the first.
    ['2026-11-01T04:30:00.000Z', 'America/Havana', '2026-11', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'],
    ['2026-11-01T05:30:00.000Z', 'America/Havana', '2026-11', '2026-11-01T04:00:00.000Z', '2026-12-01T05:00:00.000Z'],
    ['2026-11-10T00:00:00.000Z', 'Nowhere/Unknown', '2026-11', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
  ])('%s in %s', (iso, timeZone, name, start, end) => {
    expect(month(iso, timeZone)).toEqual([name, start, end]);
  });

  test('ends where the next begins, for years and in all zones', () => {
    for (const timeZone of Intl.supportedValuesOf('timeZone')) {
      let term = quotaTermAt('month', at('2024-01-15T00:00:00Z'), timeZone);
      for (let step = 0; step < 36; step++) {
        expect(quotaTermAt('month', term.endMs - 1, timeZone)).toEqual(term);
        const next = quotaTermAt('month', term.endMs, timeZone);
        expect([timeZone, next.number, next.startMs]).toEqual([timeZone, term.number + 1, term.endMs]);
        term = next;
      }
    }
  });

  test('a clock that is put back comes to the month before', () => {
    expect(month('2026-12-01T00:00:00Z', 'UTC')[0]).toBe('2026-12');
    expect(month('2026-11-30T23:59:59Z', 'UTC')[0]).toBe('2026-11');
  });
});

test('a minute is the same everywhere', () => {
  const nowMs = at('2026-11-27T10:20:30Z');
  const minute = { number: nowMs / 60_000 - 0.5, startMs: nowMs - 30_000, endMs: nowMs + 30_000 };
  expect(quotaTermAt('minute', nowMs, 'Asia/Kathmandu')).toEqual(minute);
});

test('each category has items that SDKs send, and a name of theirs', () => {
  const ofItems = new Set(itemTypes.map(({ category }) => quotaCategoryOf(category)));
  for (const category of quotaCategories) {
    expect([category, ofItems.has(category)]).toEqual([category, true]);
    expect(sdkCategories[category]).not.toEqual([]);
  }
  // What nothing is shown of, and what nobody knows.
  for (const other of ['replay', 'profile', 'monitor', 'internal', 'unknown'] as const) {
    expect(quotaCategoryOf(other)).toBeUndefined();
  }
  expect(quotaCategoryOf('security')).toBe('error');
});
