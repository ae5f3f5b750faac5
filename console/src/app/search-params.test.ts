import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-params.ts';

test('what is written is read back, and stays readable', () => {
  const params = { q: 'release:4f2c1 path:/a,b "x & y=z" +1 %', range: '24h', event: '007' };
  const text = stringifySearch(params);
  expect(text).toContain('q=release:4f2c1+path:/a,b');
  expect(parseSearch(text)).toEqual(params);
});

test('absent values leave no trace', () => {
  expect(stringifySearch({ q: undefined, project: '', environment: null })).toBe('');
  expect(Object.keys(parseSearch('?__proto__=1&a=2'))).toEqual(['a']);
});
