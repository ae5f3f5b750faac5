import { expect, test } from 'vitest';
import { number, percentage, plural, pluralForm, withUnit } from './intl.ts';

test('numbers are written in full, a word follows its count', () => {
  expect([0, 0.125, 12.345, 999.95, 1030, 12_345.6].map(number)).toEqual([
    '0',
    '0.125',
    '12.35',
    '1,000',
    '1,030',
    '12,346',
  ]);
  expect([0, 1, 2, 1030].map((count) => plural(count, 'event'))).toEqual([
    '0 events',
    '1 event',
    '2 events',
    '1,030 events',
  ]);
  expect([plural(2, 'query', 'queries'), pluralForm(1, 'works', 'work')]).toEqual(['2 queries', 'works']);
});

test('a value and its unit do not part; shares are percent', () => {
  expect([withUnit(1030, 'ms'), withUnit('2.1', 's')]).toEqual(['1,030\u00a0ms', '2.1\u00a0s']);
  expect([percentage(0.988), percentage(0.12345), percentage(0.98, 2), percentage(-0.25, 0)]).toEqual([
    '98.8%',
    '12.35%',
    '98.00%',
    '-25%',
  ]);
});
