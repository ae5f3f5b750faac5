import { expect, test } from 'vitest';
import { categoryOfQuery, withCategory } from './category.ts';

test('a choice goes into the search and comes out of it', () => {
  const chosen = withCategory('release:4f2c1 "issue.category:x y"', 'performance');
  expect(chosen).toBe('release:4f2c1 "issue.category:x y" issue.category:performance');
  expect(categoryOfQuery(chosen)).toBe('performance');
  expect(withCategory(chosen, 'error')).toBe('release:4f2c1 "issue.category:x y" issue.category:error');
  expect(withCategory(chosen, '')).toBe('release:4f2c1 "issue.category:x y"');
});

test('what the choice does not offer is no choice', () => {
  expect(['', 'TypeError', 'issue.category:outage', '!issue.category:error'].map(categoryOfQuery)).toEqual([
    '',
    '',
    '',
    '',
  ]);
});
