import { describe, expect, test } from 'vitest';
import { issuesNamed } from './commits.ts';

const named = (message: string): string[] => issuesNamed(message).map(({ prefix, number }) => `${prefix}-${number}`);

describe('issues that a commit fixes', () => {
  test.each([
    ['fixes WEB-12', ['WEB-12']],
    ['Fix web-12: price of an empty cart', ['WEB-12']],
    ['FIXED WEB-1', ['WEB-1']],
    ['Resolves WEB-1 and closes API-2', ['WEB-1', 'API-2']],
    ['resolved: WEB-1, WEB-2 and API-3', ['WEB-1', 'WEB-2', 'API-3']],
    ['Fixes: WEB-12,WEB-13 & WEB-14', ['WEB-12', 'WEB-13', 'WEB-14']],
    ['fixes WEB-12, and WEB-13', ['WEB-12', 'WEB-13']],
    ['close #WEB-7', ['WEB-7']],
    ['Body\n\nCloses   MY-SHOP-7.\nSigned-off-by: A', ['MY-SHOP-7']],
    ['(fixes WEB-12)', ['WEB-12']],
    ['fixes WEB-12 fixes web-12', ['WEB-12']],
    ['fixes läden-3', ['LÄDEN-3']],
  ])('%j', (message, expected) => expect(named(message)).toEqual(expected));

  test.each([
    'WEB-12',
    'see WEB-12',
    'prefixes WEB-12',
    'fixes the bug of WEB-12',
    'fixes #12',
    'fixing WEB-12',
    'fixes WEB-12a',
    'fixes WEB-12345678901',
    'fixes-WEB-12',
    '',
  ])('none in %j', (message) => expect(named(message)).toEqual([]));

  test('at most 50, and only in the first 10,000 characters', () => {
    const many = Array.from({ length: 80 }, (_, index) => `fixes WEB-${index + 1}`).join('\n');
    expect(named(many)).toHaveLength(50);
    expect(named(`${' '.repeat(10_000)}fixes WEB-1`)).toEqual([]);
  });

  test('of hostile texts in a moment', () => {
    for (const part of ['fix ', 'fixes: ', `fixes ${'a-'.repeat(30)}`, 'fixes A-1 ,', 'fixes A-1\t\t\t\t']) {
      expect(named(part.repeat(10_000))).toBeDefined();
    }
  });
});
