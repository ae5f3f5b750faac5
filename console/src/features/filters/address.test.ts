import { expect, test } from 'vitest';
import { oneOf, searchOf, text } from './address.ts';

const { parse } = searchOf({ q: text, sort: oneOf('date', 'freq') });

test('each parameter by its reader; what is unknown is absent', () => {
  expect(parse({ q: 'is:unresolved', sort: 'freq' })).toStrictEqual({ q: 'is:unresolved', sort: 'freq' });
  expect(parse({ q: '', sort: 'by heart', other: '1' })).toStrictEqual({ q: '' });
});

test('only texts are read', () => {
  expect(parse({ q: 7, sort: ['freq'] })).toStrictEqual({});
});
