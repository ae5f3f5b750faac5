import { expect, test } from 'vitest';
import { mergedWords, mergeRefusal, mergeTarget } from './merging.ts';

const issue = (shortId: string, count: number, firstSeen: string, project = '1') => ({
  id: shortId,
  shortId,
  project: { id: project },
  lifetime: { count: String(count), firstSeen },
});
const small = issue('WEB-1', 9, '2026-01-01T00:00:00Z');
const large = issue('WEB-2', 10, '2026-03-01T00:00:00Z');
const older = issue('WEB-3', 10, '2026-02-01T00:00:00Z');

test('the issue with most events stays, among equals the oldest', () => {
  expect(mergeTarget([small, large, older])?.shortId).toBe('WEB-3');
  expect(mergeTarget([small, large])?.shortId).toBe('WEB-2');
  expect(mergeTarget([])).toBeUndefined();
});

test('one issue, and issues of two projects, are not merged', () => {
  expect(mergeRefusal([small])).toContain('at least two');
  expect(mergeRefusal([small, issue('API-1', 1, '', '2')])).toContain('different projects');
  expect(mergeRefusal([small, large])).toBeUndefined();
});

test('what was merged is named, or counted', () => {
  expect(mergedWords([small], 'WEB-3')).toBe('WEB-1 merged into WEB-3');
  expect(mergedWords([small, large], 'WEB-3')).toBe('2 issues merged into WEB-3');
});
