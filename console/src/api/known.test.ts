import { expect, test } from 'vitest';
import { heldOf, keep } from './known.ts';

test('what was answered last is held by its address', () => {
  const [first, second] = [[1], [2]];
  keep('/a', 'W/"1"', first);
  expect(heldOf('/a')).toEqual({ tag: 'W/"1"', data: first });
  expect(heldOf('/b')).toBeUndefined();
  keep('/a', 'W/"2"', second);
  expect(heldOf('/a')?.data).toBe(second);
});

test('without a tag, or without an object, nothing is kept', () => {
  keep('/c', null, [1]);
  keep('/d', 'W/"1"', 1);
  expect([heldOf('/c'), heldOf('/d')]).toEqual([undefined, undefined]);
});

test('of many those asked for last are kept', () => {
  const data = Array.from({ length: 201 }, (_, index) => [index]);
  for (const [index, each] of data.entries()) {
    keep(`/many/${index}`, 'W/"1"', each);
    if (index === 100) keep('/many/0', 'W/"1"', each);
  }
  expect([heldOf('/many/0')?.data, heldOf('/many/1')]).toEqual([[100], undefined]);
});
