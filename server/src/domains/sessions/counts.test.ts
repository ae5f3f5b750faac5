import { expect, test } from 'vitest';
import { crashFree, partsOf, shareOf } from './counts.ts';

test('each is in one part, and parts add up', () => {
  expect(partsOf([10, 6, 4, 3, 2])).toEqual({
    total: 10,
    healthy: 4,
    errored: 2,
    unhandled: 1,
    abnormal: 1,
    crashed: 2,
  });
  expect(partsOf([])).toMatchObject({ total: 0, healthy: 0, crashed: 0 });
});

test('samples that do not agree make no negative part', () => {
  const parts = partsOf([100, 101, 7, 8, 8]);
  expect(parts).toEqual({ total: 101, healthy: 0, errored: 93, unhandled: 0, abnormal: 0, crashed: 8 });
});

test('no rate where nothing ran', () => {
  expect(crashFree(partsOf([]))).toBeUndefined();
  expect(crashFree(partsOf([4, 1, 1, 1, 1]))).toBe(0.75);
  expect(shareOf(0, 0)).toBeUndefined();
});
