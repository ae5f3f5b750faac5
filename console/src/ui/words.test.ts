import { expect, test } from 'vitest';
import { byteSize, compactNumber, exactNumber, percent, plural } from './numbers.ts';
import { relativeTime, shortDistance, utcTime } from './relative-time.ts';

const second = 1000;
const day = 86_400_000;

test('distances in one unit', () => {
  const now = Date.parse('2026-11-21T02:10:00Z');
  const ago = (ms: number): string => shortDistance(now - ms, now);
  expect([
    ago(0),
    ago(12 * second),
    ago(240 * second),
    ago(3 * 3600 * second),
    ago(9 * day),
    ago(90 * day),
    ago(800 * day),
  ]).toEqual(['now', '12 s', '4 min', '3 h', '9 d', '2 mo', '2 y']);
  expect(relativeTime(now - 240 * second, now)).toBe('4 min ago');
  expect(relativeTime(now + 3 * 3600 * second, now)).toBe('in 3 h');
  expect(relativeTime(now, now)).toBe('just now');
  expect(relativeTime(Number.NaN, now)).toBe('unknown time');
  expect(utcTime(now)).toBe('2026-11-21 02:10:00 UTC');
  expect(utcTime(1e30)).toBe('unknown time');
});

test('numbers short and exact', () => {
  expect([0, 132, 999, 1000, 1234, 34_400, 999_400, 999_500, 1_500_000].map(compactNumber)).toEqual([
    '0',
    '132',
    '999',
    '1 k',
    '1.2 k',
    '34.4 k',
    '999 k',
    '1 M',
    '1.5 M',
  ]);
  expect(exactNumber(1_204_000)).toBe('1\u202f204\u202f000');
  expect(plural(1, 'event')).toBe('1 event');
  expect(plural(2, 'hash', 'hashes')).toBe('2 hashes');
});

test('bytes and shares', () => {
  expect([0, 640, 1500, 999_600, 2_100_000_000].map(byteSize)).toEqual(['0 B', '640 B', '1.5 kB', '1 MB', '2.1 GB']);
  expect([percent(0, 0), percent(91, 100), percent(1, 1000), percent(999, 1000), percent(5, 5)]).toEqual([
    '0 %',
    '91 %',
    '<1 %',
    '>99 %',
    '100 %',
  ]);
});
