import { expect, test } from 'vitest';
import { sampleOf } from './sample.ts';

test('all rows of a small table are looked at, and about as many of a large one', () => {
  expect(sampleOf(0, 100_000)).toEqual({ condition: 'intDiv(_part_offset, 2048) % 1 = 0', partial: false });
  expect(sampleOf(140_000, 100_000).partial).toBe(false);
  expect(sampleOf(10_000_000, 100_000)).toEqual({ condition: 'intDiv(_part_offset, 2048) % 100 = 0', partial: true });
});
