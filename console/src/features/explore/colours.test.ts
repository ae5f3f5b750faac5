import { expect, test } from 'vitest';
import { strokesOf } from './colours.ts';

const groups = ['Chrome', 'Firefox', 'Safari', 'Edge', 'Opera'];

test('no two groups look the same, by colour or by dash', () => {
  const strokes = [...strokesOf(groups).values()];
  expect(new Set(strokes.map(({ token }) => token)).size).toBe(5);
  expect(new Set(strokes.map(({ dash }) => dash.join(' '))).size).toBe(5);
});

test('a group keeps its stroke whatever its rank', () => {
  expect(strokesOf(groups.toReversed())).toEqual(strokesOf(groups));
  expect(strokesOf(['Chrome']).get('Chrome')).toEqual(strokesOf(['Chrome', 'Chrome']).get('Chrome'));
});

test('more groups than strokes all have one', () => {
  const many = Array.from({ length: 30 }, (_, index) => `group ${index}`);
  expect(strokesOf(many).size).toBe(30);
  expect(strokesOf([]).size).toBe(0);
});
