import { expect, test, vi } from 'vitest';
import { knownOr } from './known.ts';

const read = (text: string) => vi.fn(() => JSON.parse(text) as unknown);

test('what did not change is the object that it was, and is not read again', () => {
  const first = knownOr('/a', 'W/"1"', read('[1]'));
  const again = read('[1]');
  expect(knownOr('/a', 'W/"1"', again)).toBe(first);
  expect(again).not.toHaveBeenCalled();
  expect(knownOr('/b', 'W/"1"', read('[1]'))).not.toBe(first);
  expect(knownOr('/a', 'W/"2"', read('[2]'))).toEqual([2]);
  expect(knownOr('/a', 'W/"1"', read('[1]'))).not.toBe(first);
});

test('without a tag, or without an object, nothing is kept', () => {
  const untagged = knownOr('/c', null, read('[1]'));
  expect(knownOr('/c', null, read('[1]'))).not.toBe(untagged);
  knownOr('/d', 'W/"1"', read('1'));
  const next = read('1');
  knownOr('/d', 'W/"1"', next);
  expect(next).toHaveBeenCalled();
});
