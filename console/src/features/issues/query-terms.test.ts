import { termText } from '@culprit/search';
import { expect, test } from 'vitest';
import { listQuery, queryBefore } from './list-question.ts';
import { hasTerm, splitTerms, toggleTerm, withTerm } from './query-terms.ts';

test('terms end at spaces outside quotes, brackets and parentheses', () => {
  expect(splitTerms(' is:unresolved  browser:"Mobile \\" Safari" a:[b, "c d"] (x OR y) TypeError ')).toEqual([
    'is:unresolved',
    'browser:"Mobile \\" Safari"',
    'a:[b, "c d"]',
    '(x OR y)',
    'TypeError',
  ]);
  for (const broken of ['"open', 'a:[b c', ')(', '\\', '']) expect(splitTerms(broken).join(' ')).toBe(broken);
});

test('a value that was clicked is one term, whatever is in it', () => {
  for (const value of [
    'web@5.6.7',
    'Mobile Safari',
    'say "hi" *',
    'https://a.b/?c=d',
    '(x',
    '[a]',
    '>1',
    '\\"',
    'a:b',
  ]) {
    const text = termText('some tag', value);
    expect(splitTerms(`a:b ${text} c`)).toEqual(['a:b', text, 'c']);
  }
});

test('a term is toggled', () => {
  expect(toggleTerm('a:b c', 'level:error')).toBe('a:b c level:error');
  expect(toggleTerm('a:b level:error c', 'level:error')).toBe('a:b c');
});

test('a further term holds for all alternatives', () => {
  expect(withTerm('a:1 OR b:2', 'c:3')).toBe('(a:1 OR b:2) c:3');
  expect(withTerm('(a:1 OR b:2)', 'c:3')).toBe('(a:1 OR b:2) c:3');
  expect(toggleTerm('a:1 or b:2', 'b:2')).toBe('(a:1 or b:2) b:2');
  expect(toggleTerm('(a:1 OR b:2) b:2', 'b:2')).toBe('(a:1 OR b:2)');
  expect(withTerm('', 'a:1')).toBe('a:1');
});

test('the tab stands in front of all alternatives, unless the text says is: itself', () => {
  expect(listQuery({})).toBe('is:unresolved');
  expect(listQuery({ status: 'archived', q: 'TypeError' })).toBe('is:archived TypeError');
  expect(listQuery({ status: 'all', q: ' x ' })).toBe('x');
  expect(listQuery({ q: '!is:resolved x' })).toBe('!is:resolved x');
  expect(listQuery({ q: 'a:1 OR b:2' })).toBe('is:unresolved (a:1 OR b:2)');
  expect(listQuery({ q: 'a:1 OR (b:2 is:resolved)' })).toBe('a:1 OR (b:2 is:resolved)');
  expect(hasTerm('this:is', 'is')).toBe(false);
  expect(hasTerm('"is:x"', 'is')).toBe(false);
});

test('places in the query that was sent are found in the text', () => {
  for (const search of [{ q: 'a OR b' }, { q: '  x' }, { status: 'all' as const, q: ' x' }, { q: 'is:resolved' }, {}]) {
    const { q = '' } = search;
    expect(listQuery(search).slice(queryBefore(search))).toMatch(new RegExp(`^${q.trim()}`));
  }
});
