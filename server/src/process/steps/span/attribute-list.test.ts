import { expect, test } from 'vitest';
import { AttributeList } from './attribute-list.ts';

test.each([5, 500])('of %i names the last value counts, in the place of the first', (count) => {
  const list = new AttributeList();
  for (let index = 0; index < count; index++) list.set(`n${index}`, index);
  list.set('n3', 'again');
  list.set('__proto__', 'a name');
  expect(list.names).toHaveLength(count + 1);
  expect([list.get('n3'), list.get('n4'), list.get('__proto__'), list.get('constructor')]).toEqual([
    'again',
    4,
    'a name',
    undefined,
  ]);
  expect(Object.keys(list.toObject())).toEqual(list.names);
});
