import { expect, test } from 'vitest';
import { lonePoints, placeLabels } from './lines.ts';

test('a value between gaps is a point', () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonePoints([])).toEqual([]);
});

test('names of lines keep their order and do not touch', () => {
  expect(placeLabels([10, 12, 60], 13, 100)).toEqual([10, 23, 60]);
  expect(placeLabels([99, 98], 13, 100)).toEqual([100, 87]);
  expect(placeLabels([], 13, 100)).toEqual([]);
});
