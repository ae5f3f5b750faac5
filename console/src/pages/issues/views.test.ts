import { expect, test } from 'vitest';
import { listQuery } from '../../features/issues/list-question.ts';
import { builtInViews, isShown, searchOf, withoutStatus } from './views.ts';

test('a named query becomes an address that asks just that', () => {
  for (const query of [
    '',
    'is:unresolved',
    'is:archived level:error cannot read',
    'is:unresolved (a:1 OR b:2)',
    'is:unresolved (a:1 OR b:2) c:3',
    'is:unresolved (near x)',
    'is:for_review',
    'is:unresolved is:regressed',
    'level:error',
    'a:1 OR is:resolved',
  ]) {
    const search = searchOf({ query, sort: '' });
    expect(listQuery(search), query).toBe(query);
    expect(isShown({ query, sort: '' }, search)).toBe(true);
  }
  expect(searchOf({ query: 'is:unresolved (a:1 OR b:2)', sort: 'freq' })).toEqual({
    q: 'a:1 OR b:2',
    status: undefined,
    sort: 'freq',
  });
  expect(searchOf({ query: 'x', sort: 'by heart' }).sort).toBeUndefined();
});

test('a view is shown when query and order are its own', () => {
  const [review] = builtInViews;
  if (!review) throw new Error('no views');
  expect(isShown(review, { q: 'is:for_review' })).toBe(true);
  expect(isShown(review, { q: 'is:for_review', sort: 'freq' })).toBe(false);
  expect(isShown(review, { q: 'is:for_review level:error' })).toBe(false);
});

test('a tab takes the place of what the text says of the status', () => {
  expect(withoutStatus('is:regressed level:error !is:new')).toBe('level:error');
  expect(withoutStatus('is:regressed')).toBeUndefined();
});
