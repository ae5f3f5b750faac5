import { expect, test } from 'vitest';
import { examinedWords, progressWords, verdictWords } from './preview-words.ts';

const found = (
  merges: number[],
  splits: number,
  unchanged: number,
  examined = { events: 1200, issues: 40 },
  sampled = false,
) => ({
  examined: { ...examined, sampled },
  merges: merges.map((issues) => ({ issues: Array.from({ length: issues }) })),
  splits: Array.from({ length: splits }),
  unchanged,
});

test('the answer in one sentence', () => {
  expect(verdictWords(found([], 0, 40))).toBe('No changes: 40 issues stay as they are');
  expect(verdictWords(found([3], 0, 1))).toBe('3 issues would become 1; 1 issue stays as it is');
  expect(verdictWords(found([3, 2], 1, 0))).toBe(
    '5 issues would become 2, 1 issue would split; 0 issues stay as they are',
  );
  expect(verdictWords(found([], 2, 9))).toBe('2 issues would split; 9 issues stay as they are');
  expect(verdictWords(found([], 0, 0, { events: 0, issues: 0 }))).toBe('Nothing to compare');
});

test('how much was grouped again, and whether that was all', () => {
  expect(examinedWords(found([], 0, 40))).toBe('1,200 events of 40 issues grouped again.');
  expect(examinedWords(found([], 0, 1, { events: 1, issues: 1 }, true))).toBe(
    '1 event of 1 issue grouped again, a sample of all.',
  );
  expect(examinedWords(found([], 0, 0, { events: 0, issues: 0 }))).toContain('No events');
});

test('progress stays between nothing and all', () => {
  expect([-1, 0, 0.4, 7].map(progressWords)).toEqual(['0%', '0%', '40%', '100%']);
});
