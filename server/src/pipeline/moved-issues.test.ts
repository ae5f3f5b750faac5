import { expect, test } from 'vitest';
import { MovedIssues } from './moved-issues.ts';

test('names issues of the project between which events moved since then', () => {
  const moved = new MovedIssues();
  moved.note(1, [10, 11], 1_000);
  moved.note(2, [20], 2_000);
  moved.note(1, [12], 3_000);
  expect(moved.since(1, 1_000)).toEqual([10, 11, 12]);
  expect(moved.since(1, 1_001)).toEqual([12]);
  expect(moved.since(2, 0)).toEqual([20]);
  expect(moved.since(3, 0)).toEqual([]);
});

test('forgets', () => {
  const moved = new MovedIssues();
  moved.note(1, [10], 0);
  for (let n = 0; n < 3_000; n++) moved.note(1, [n], 200_000 + n);
  expect(moved.since(1, 0)).toHaveLength(1_000);
  expect(moved.since(1, 0)).not.toContain(10);
});
