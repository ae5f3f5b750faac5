import { expect, test } from 'vitest';
import { duration } from './durations.ts';
import {
  byteSize,
  compactNumber,
  exactNumber,
  fixedNumber,
  percent,
  percentage,
  plural,
  pluralForm,
  roundedNumber,
  smallNumber,
  times,
  withUnit,
} from './numbers.ts';
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
  ]).toEqual(['now', '12\u00a0s', '4\u00a0min', '3\u00a0h', '9\u00a0d', '2\u00a0mo', '2\u00a0y']);
  expect(relativeTime(now - 240 * second, now)).toBe('4\u00a0min ago');
  expect(relativeTime(now + 3 * 3600 * second, now)).toBe('in 3\u00a0hr');
  expect(relativeTime(now - 9 * day, now)).toBe('9\u00a0days ago');
  expect(relativeTime(now, now)).toBe('just now');
  expect(relativeTime(Number.NaN, now)).toBe('unknown time');
  expect(utcTime(now)).toBe('2026-11-21 02:10:00 UTC');
  expect(utcTime(1e30)).toBe('unknown time');
});

test('numbers in full where they fit, short from ten thousand on', () => {
  expect([0, 132, 1030, 9999, 9999.5, 12_345, 34_400, 999_400, 999_500, 1_500_000].map(compactNumber)).toEqual([
    '0',
    '132',
    '1,030',
    '9,999',
    '9,999.5',
    '12.3K',
    '34.4K',
    '999K',
    '1M',
    '1.5M',
  ]);
  expect([compactNumber(-1030), compactNumber(Number.NaN)]).toEqual(['-1,030', '–']);
  expect([exactNumber(1_204_000), exactNumber(0.125)]).toEqual(['1,204,000', '0.13']);
});

test('a word follows its count', () => {
  expect([0, 1, 2, 1030].map((count) => plural(count, 'event'))).toEqual([
    '0 events',
    '1 event',
    '2 events',
    '1,030 events',
  ]);
  expect(plural(2, 'hash', 'hashes')).toBe('2 hashes');
  expect([pluralForm(1, 'is', 'are'), pluralForm(1.5, 'point')]).toEqual(['is', 'points']);
});

test('a value and its unit do not part', () => {
  const words = [
    withUnit(3, '×'),
    byteSize(1500),
    duration(2_100_000),
    duration(125_000_000),
    relativeTime(0, 240_000),
  ];
  expect(words).toEqual(['3\u00a0×', '1.5\u00a0kB', '2.1\u00a0s', '2\u00a0min 5\u00a0s', '4\u00a0min ago']);
  expect(percentage(0.988)).toBe('98.8%');
});

test('as many digits as tell', () => {
  expect([fixedNumber(0.9, 2), roundedNumber(0.9, 2), smallNumber(0.001234)]).toEqual(['0.90', '0.9', '0.0012']);
  expect([times(3.14), times(24.4)]).toEqual(['3.1×', '24×']);
});

test('bytes and shares', () => {
  expect([0, 640, 1500, 999_600, 2_100_000_000].map(byteSize)).toEqual([
    '0\u00a0B',
    '640\u00a0B',
    '1.5\u00a0kB',
    '999.6\u00a0kB',
    '2.1\u00a0GB',
  ]);
  expect([percent(0, 0), percent(91, 100), percent(1, 1000), percent(999, 1000), percent(5, 5)]).toEqual([
    '0%',
    '91%',
    '<1%',
    '>99%',
    '100%',
  ]);
});
