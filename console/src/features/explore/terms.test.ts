import { expect, test } from 'vitest';
import { removable, valueTerm, withRow, withTerm } from './terms.ts';

test('a value is a term, an absent one is that there is none', () => {
  expect(valueTerm('level', 'error')).toBe('level:error');
  expect(valueTerm('level', 'error', true)).toBe('!level:error');
  expect(valueTerm('http.status_code', 500)).toBe('http.status_code:500');
  expect(valueTerm('span.description', 'SELECT "a" FROM b')).toBe(String.raw`span.description:"SELECT \"a\" FROM b"`);
  for (const absent of [null, undefined, '']) {
    expect(valueTerm('release', absent)).toBe('!has:release');
    expect(valueTerm('release', absent, true)).toBe('has:release');
  }
});

test('a list is found by all that is in it, and excluded by any of it that is missing', () => {
  expect(valueTerm('error.type', ['TypeError'])).toBe('error.type:TypeError');
  expect(valueTerm('error.type', ['TypeError', 'DOMException'])).toBe('error.type:TypeError error.type:DOMException');
  expect(valueTerm('error.type', ['TypeError', 'DOMException'], true)).toBe(
    '(!error.type:TypeError OR !error.type:DOMException)',
  );
  expect(valueTerm('error.type', [])).toBe('!has:error.type');
});

test.each([
  ['', 'level:error', 'level:error'],
  ['cart fails', 'level:error', 'cart fails level:error'],
  ['level:error', 'level:error', 'level:error'],
  ['level:error cart', '!level:error', 'cart !level:error'],
  ['cart !level:error release:1', 'level:error', 'cart release:1 level:error'],
  ['level:error OR level:fatal', 'release:1', '(level:error OR level:fatal) release:1'],
  ['(level:error OR level:fatal)', 'release:1', '(level:error OR level:fatal) release:1'],
  ['level:error AND cart', '!level:error', 'level:error AND cart !level:error'],
  ['level:', 'release:1', 'level: release:1'],
])('%j with %j is %j', (query, term, expected) => {
  expect(withTerm(query, term, 'errors')).toBe(expected);
});

test('a row is all of its values', () => {
  const cells = [
    { field: 'level', value: 'error' },
    { field: 'release', value: null },
  ];
  expect(withRow('cart', cells, 'errors')).toBe('cart level:error !has:release');
});

test('parts of a query are taken away one by one', () => {
  expect(removable('', 'errors')).toEqual([]);
  expect(removable(' level:error ', 'errors')).toEqual([{ text: 'level:error', without: '' }]);
  expect(removable('level:error  cart release:1', 'errors')).toEqual([
    { text: 'level:error', without: 'cart release:1' },
    { text: 'cart', without: 'level:error release:1' },
    { text: 'release:1', without: 'level:error  cart' },
  ]);
  expect(removable('a:1 OR b:2', 'errors')).toEqual([{ text: 'a:1 OR b:2', without: '' }]);
  expect(removable(Array.from({ length: 50 }, (_, index) => `k${index}:1`).join(' '), 'errors')).toHaveLength(6);
});
