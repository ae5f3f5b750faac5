import { expect, test } from 'vitest';
import { choices, chosenPair, chosenSide } from './pair.ts';

const versions = ['c', 'b', 'a'];

test.each([
  [{}, 'b', 'c'],
  [{ to: 'b' }, 'a', 'b'],
  [{ to: 'a' }, 'c', 'a'],
  [{ from: 'c' }, 'c', 'b'],
  [{ from: 'x', to: 'y' }, 'x', 'y'],
  [{ to: 'old' }, 'c', 'old'],
])('%j', (asked: { from?: string; to?: string }, from, to) => {
  expect(chosenPair({ from: asked.from, to: asked.to }, versions)).toEqual({ from, to });
});

test('both are of one package', () => {
  const both = ['api@3', 'web@1.0.0', 'worker@1', 'web@0.9.0', 'api@2'];
  const open = { from: undefined, to: undefined };
  expect(chosenPair(open, both)).toEqual({ from: 'api@2', to: 'api@3' });
  expect(chosenPair(open, both.slice(1))).toEqual({ from: 'web@0.9.0', to: 'web@1.0.0' });
  expect(chosenPair({ ...open, from: 'web@0.9.0' }, both)).toEqual({ from: 'web@0.9.0', to: 'web@1.0.0' });
  expect(chosenPair({ ...open, to: 'worker@1' }, both)).toEqual({ from: undefined, to: 'worker@1' });
  expect(chosenPair({ from: 'web@0.9.0', to: 'api@3' }, both)).toEqual({ from: 'web@0.9.0', to: 'api@3' });
});

test('with one release there is nothing to compare', () => {
  expect(chosenPair({ from: undefined, to: undefined }, ['a'])).toEqual({ from: undefined, to: 'a' });
  expect(chosenPair({ from: undefined, to: undefined }, [])).toEqual({ from: undefined, to: undefined });
});

test('one side is chosen; a release is never compared with itself', () => {
  const pair = { from: 'a', to: 'b' };
  expect(chosenSide(pair, 'from', 'c')).toEqual({ from: 'c', to: 'b' });
  expect(chosenSide(pair, 'to', 'c')).toEqual({ from: 'a', to: 'c' });
  expect(chosenSide(pair, 'from', 'b')).toEqual({ from: 'b', to: 'a' });
  expect(chosenSide(pair, 'to', 'a')).toEqual({ from: 'b', to: 'a' });
});

test('what is in the address can be chosen', () => {
  expect(choices(versions, 'old')).toEqual(['old', 'c', 'b', 'a']);
  expect(choices(versions, 'b')).toBe(versions);
});
