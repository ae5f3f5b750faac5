import { expect, test } from 'vitest';
import { createReach } from './reach.ts';

const totals = (...each: readonly number[]) => new Map(each.map((total, index) => [index + 1, total]));

test('a count is at most what is stored, and grows by what was stored since', () => {
  const reach = createReach();
  reach.begin({ firstDay: 1, totals: totals(500), nowMs: 0 });
  expect([reach.most('a', 1), reach.isKnown('a', 1), reach.most('a', 2)]).toEqual([500, false, 0]);
  reach.note('a', 1, 20);
  expect([reach.most('a', 1), reach.isKnown('a', 1)]).toEqual([20, true]);
  reach.begin({ firstDay: 1, totals: totals(507), nowMs: 5_000 });
  expect(reach.most('a', 1)).toBe(27);
});

test.each([
  ['a minute later', { firstDay: 1, totals: totals(510), nowMs: 60_000 }, 510],
  ['when events were deleted', { firstDay: 1, totals: totals(499), nowMs: 5_000 }, 499],
  ['on the next day', { firstDay: 2, totals: totals(510), nowMs: 5_000 }, 510],
  ['when the clock was put back', { firstDay: 1, totals: totals(510), nowMs: -5_000 }, 510],
])('what was counted says nothing %s', (_, look, most) => {
  const reach = createReach();
  reach.begin({ firstDay: 1, totals: totals(500), nowMs: 0 });
  reach.note('a', 1, 20);
  reach.begin(look);
  expect([reach.most('a', 1), reach.isKnown('a', 1)]).toEqual([most, false]);
});
