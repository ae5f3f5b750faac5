import { expect, test } from 'vitest';
import type { MatchQuestion } from '../../issues/index.ts';
import { importedUntilOf, partsOf } from './imported.ts';

const question: MatchQuestion = {
  issues: [
    { id: 1, projectId: 10 },
    { id: 2, projectId: 20 },
    { id: 3, projectId: 30 },
  ],
  root: undefined,
  projects: [],
  environments: [],
  sinceMs: 1_000,
  nowMs: 2_000,
  users: false,
};

test('projects that got events of an import are counted from the newest of these on', () => {
  const until = importedUntilOf([
    { id: 10, importedUntil: 1_500 },
    { id: 20, importedUntil: 999 },
    { id: 30, importedUntil: null },
  ]);
  expect(partsOf(question, until).map(({ sinceMs, issues }) => [sinceMs, issues.map(({ id }) => id)])).toEqual([
    [1_501, [1]],
    [1_000, [2, 3]],
  ]);
});

test('without one in the window it is one question, as it was', () => {
  expect(partsOf(question, new Map([[10, 999]]))).toEqual([question]);
});
