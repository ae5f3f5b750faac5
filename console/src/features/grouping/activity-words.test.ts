import { expect, test } from 'vitest';
import { groupingActivityWords } from './activity-words.ts';

const words = (type: string, data: Record<string, unknown>) => groupingActivityWords({ type, data }, 'WEB');
const issues = (...numbers: number[]) => ({ count: numbers.length, issues: numbers.map((number) => ({ number })) });

test('merges and what undoes them name the issues at the other end', () => {
  expect(words('merged', issues(3))).toBe('WEB-3 merged into this issue');
  expect(words('merged', issues(3, 4))).toBe('WEB-3 and WEB-4 merged into this issue');
  expect(words('merged', { ...issues(3, 4, 5, 6), count: 900 })).toBe(
    'WEB-3, WEB-4, WEB-5 and 897 more merged into this issue',
  );
  expect(words('merged_into', issues(1))).toBe('Merged into WEB-1');
  expect(words('unmerged', issues(3))).toBe('WEB-3 unmerged');
  expect(words('unmerged', issues(3, 4))).toBe('WEB-3 and WEB-4 unmerged');
  expect(words('taken_back', issues(1))).toBe('Unmerged from WEB-1');
});

test('hashes that were moved out are counted', () => {
  expect(words('split', { ...issues(9), hashes: 2 })).toBe('2 hashes moved out into WEB-9');
  expect(words('split_from', { ...issues(1), hashes: 1 })).toBe('Started with 1 hash of WEB-1');
});

test('what is stored differently still makes a sentence; other activity is not ours', () => {
  expect(words('merged', {})).toBe('another issue merged into this issue');
  expect(words('split', { issues: 'x', hashes: 'y' })).toBe('hashes moved out into another issue');
  expect(words('merged', { issues: [null, 7, { number: 'x' }] })).toBe('another issue merged into this issue');
  expect(words('set_resolved', {})).toBeUndefined();
});
