import { expect, test } from 'vitest';
import { judge } from './judge.ts';

const idsOf = (issues: readonly { issueId: number }[]): number[] => issues.map(({ issueId }) => issueId);

test('what is in one of both is new or gone, the most events first', () => {
  const {
    new: fresh,
    gone,
    worse,
    better,
  } = judge(
    [
      { issueId: 1, before: 0, after: 3 },
      { issueId: 2, before: 5, after: 0 },
      { issueId: 3, before: 0, after: 30 },
      { issueId: 4, before: 9, after: 0 },
      { issueId: 5, before: 0, after: 0 },
    ],
    { before: 100, after: 100 },
  );
  expect([idsOf(fresh), idsOf(gone), worse, better]).toEqual([[3, 1], [4, 2], [], []]);
  expect(fresh[0]?.factor).toBeUndefined();
});

test('ten times the sessions make ten times the events of the same issue', () => {
  const same = { issueId: 1, before: 10, after: 100 };
  expect(judge([same], { before: 100, after: 1000 }).worse).toEqual([]);
  const [worse] = judge([same], { before: 100, after: 100 }).worse;
  expect(worse).toMatchObject({ issueId: 1, factor: 10 });
  expect(idsOf(judge([same], { before: 10, after: 1000 }).better)).toEqual([1]);
});

test('chance is no change', () => {
  const even = { before: 1000, after: 1000 };
  expect(judge([{ issueId: 1, before: 1, after: 3 }], even).worse).toEqual([]);
  expect(judge([{ issueId: 1, before: 1000, after: 1400 }], even).worse).toEqual([]);
  expect(idsOf(judge([{ issueId: 1, before: 1000, after: 1600 }], even).worse)).toEqual([1]);
});

test('nothing to count against says nothing', () => {
  expect(judge([{ issueId: 1, before: 1, after: 100 }], { before: 0, after: 0 })).toMatchObject({
    worse: [],
    better: [],
  });
});
