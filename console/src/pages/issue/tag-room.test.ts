import { expect, test } from 'vitest';
import { fitting } from './tag-room.ts';

const tag = (uniqueValues: number) => ({ uniqueValues, topValues: { length: Math.min(10, uniqueValues) } });

test('as many tags as there is room for, but a few always, and never more than people read', () => {
  const varied = Array.from({ length: 12 }, () => tag(9));
  expect([-500, 0, 500, 560, 2000, Infinity].map((room) => fitting(varied, room))).toEqual([3, 3, 3, 4, 8, 8]);
  const constant = Array.from({ length: 12 }, () => tag(1));
  expect(fitting(constant, 150)).toBe(5);
  expect(fitting([tag(1)], Infinity)).toBe(3);
});
