import { expect, test } from 'vitest';
import { tokensOf } from './tokens.ts';
import { unknownNames } from './unknown-names.ts';

const found = (query: string) => unknownNames(tokensOf(query, 'issues').tokens, 'issues');

test('a slip of a name is told with its place and what was meant', () => {
  expect(found('cart !relase:[1.0, 2.0]')).toMatchObject([
    { name: 'relase', start: 6, end: 12, suggestions: ['release'] },
  ]);
});

test('fields, tags that look like no field, and words are left alone', () => {
  expect(found('level:error plan:pro "levl:error" has:levl cart')).toEqual([]);
});
