import { expect, test } from 'vitest';
import { outcomeRows, outcomeStacks } from './outcome-rows.ts';

const group = (
  outcome: 'accepted' | 'invalid' | 'rate_limited',
  category: string,
  reason: string,
  series: number[],
  project = '1',
) => ({
  projectId: project,
  projectSlug: project,
  category,
  outcome,
  reason,
  total: series.reduce((sum, each) => sum + each, 0),
  series,
});

test('projects are added together, outcomes stay apart', () => {
  const groups = [
    group('invalid', 'error', 'json', [1, 0]),
    group('accepted', 'session', '', [5, 5]),
    group('accepted', 'error', '', [10, 10]),
    group('accepted', 'error', '', [1, 1], '2'),
    group('rate_limited', 'error', 'key', [0, 0]),
  ];
  expect(outcomeRows(groups)).toEqual([
    { outcome: 'accepted', category: 'error', reason: '', total: 22 },
    { outcome: 'accepted', category: 'session', reason: '', total: 10 },
    { outcome: 'invalid', category: 'error', reason: 'json', total: 1 },
  ]);
  expect(outcomeStacks({ groups, intervals: ['2026-11-21T00:00:00Z', '2026-11-21T00:01:00Z'] })).toMatchObject([
    { total: 17, parts: [16, 0, 0, 0, 1] },
    { total: 16, parts: [16, 0, 0, 0, 0] },
  ]);
});
