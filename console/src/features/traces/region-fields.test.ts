import { expect, test } from 'vitest';
import { isInOrder, regionOfFields } from './region-fields.ts';

const heatmap = { from: 1000.5, columnSeconds: 10, columns: 6, rows: [], cells: [], count: 0, failed: 0 };
const empty = { since: '', before: '', least: '', most: '' };
const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

test('what is typed is a region; nothing is all of it', () => {
  expect(regionOfFields(empty, heatmap)).toBeUndefined();
  expect(regionOfFields({ ...empty, least: '1.5', most: 'x' }, heatmap)).toEqual({ fromMs: 1.5 });
  expect(regionOfFields({ ...empty, most: '-1' }, heatmap)).toBeUndefined();
});

test('one end of the time reaches to the edge', () => {
  expect(regionOfFields({ ...empty, since: at(1020) }, heatmap)).toEqual({ since: 1020, before: 1061 });
  expect(regionOfFields({ ...empty, before: at(1020) }, heatmap)).toEqual({ since: 1000, before: 1020 });
});

test('bounds are in order, also where one is missing', () => {
  expect([isInOrder(2, 3), isInOrder(3, 3), isInOrder(3, undefined), isInOrder(undefined, 3)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});
