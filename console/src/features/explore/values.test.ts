import { expect, test } from 'vitest';
import { groupKey, isNumeric, measureOf, momentOf, none, numberWords, valueText } from './values.ts';

test.each([
  [1234, 'integer', null, '1,234', '1,234'],
  [0.004567, 'number', null, '0.0046', '0.0046'],
  [0, 'number', null, '0', '0'],
  [340, 'duration', 'millisecond', '340\u00a0ms', '340\u00a0ms'],
  [1.5, 'duration', 'second', '1.5\u00a0s', '1.5\u00a0s'],
  [340, 'duration', null, '340\u00a0ms', '340\u00a0ms'],
  [0.123, 'percentage', null, '12%', '12%'],
  [2048, 'size', 'byte', '2\u00a0kB', '2\u00a0kB'],
  [2, 'size', 'kibibyte', '2\u00a0kB', '2\u00a0kB'],
  [3.456, 'rate', '1/minute', '3.46/min', '3.46/min'],
  [0.001234, 'rate', '1/second', '0.0012/s', '0.0012/s'],
  [Number.NaN, 'number', null, '–', '–'],
])('%d as %s in %s', (value, type, unit, short, exact) => {
  expect(numberWords(value, { type, unit })).toBe(short);
  expect(numberWords(value, { type, unit }, true)).toBe(exact);
});

test('what an answer says of a field, and of a field that it does not know', () => {
  const meta = {
    fields: { 'p95(span.duration)': 'duration', level: 'string' },
    units: { 'p95(span.duration)': 'second' },
  };
  expect(measureOf(meta, 'p95(span.duration)')).toEqual({ type: 'duration', unit: 'second' });
  expect(isNumeric(measureOf(meta, 'p95(span.duration)'))).toBe(true);
  expect(isNumeric(measureOf(meta, 'level'))).toBe(false);
  for (const name of ['other', '__proto__', 'constructor'])
    expect(measureOf(meta, name)).toEqual({ type: 'string', unit: null });
  expect(measureOf(undefined, 'x').type).toBe('string');
});

test('absent values have a word, long ones an end', () => {
  for (const value of [null, undefined, '', []]) expect(valueText(value)).toBe(none);
  expect(valueText(['a', null, 2])).toBe('a, (none), 2');
  expect(valueText({ a: 1 })).toBe('{"a":1}');
  expect(valueText(false)).toBe('false');
  expect(valueText('x'.repeat(100_000))).toHaveLength(2000);
});

test('moments with and without a zone', () => {
  expect(momentOf('2026-11-21T10:00:00Z')).toBe(Date.UTC(2026, 10, 21, 10));
  expect(momentOf('2026-11-21T10:00:00+01:00')).toBe(Date.UTC(2026, 10, 21, 9));
  expect(momentOf('2026-11-21 10:00:00')).toBe(Date.UTC(2026, 10, 21, 10));
  expect(momentOf(1_795_284_600)).toBe(1_795_284_600_000);
  for (const value of ['x', null, {}, Number.NaN]) expect(momentOf(value)).toBeUndefined();
});

test('groups are the same group where their values are', () => {
  expect(groupKey(['a', ''])).toBe(groupKey(['a', undefined]));
  expect(groupKey(['a,b'])).not.toBe(groupKey(['a', 'b']));
  expect(groupKey(['1'])).not.toBe(groupKey([1]));
});
