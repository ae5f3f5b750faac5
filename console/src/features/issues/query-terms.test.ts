import { expect, test } from 'vitest';
import { listQuery } from './list-question.ts';
import { hasTerm, splitTerms, term, toggleTerm } from './query-terms.ts';

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

test('values are quoted where they have to be', () => {
  expect(term('release', 'web@5.6.7')).toBe('release:web@5.6.7');
  expect(term('browser', 'Mobile Safari')).toBe('browser:"Mobile Safari"');
  expect(term('x', 'say "hi" *')).toBe(String.raw`x:"say \"hi\" \*"`);
  expect(term('url', 'https://a.b/?c=d')).toBe('url:"https://a.b/?c=d"');
  expect(term('my key', 'v')).toBe('tags[my key]:v');
  expect(term('empty', '')).toBe('!has:empty');
});

test('a term is toggled', () => {
  expect(toggleTerm('a:b c', 'level:error')).toBe('a:b c level:error');
  expect(toggleTerm('a:b level:error c', 'level:error')).toBe('a:b c');
});

test('the tab stands in front unless the text says is: itself', () => {
  expect(listQuery({})).toBe('is:unresolved');
  expect(listQuery({ status: 'archived', q: 'TypeError' })).toBe('is:archived TypeError');
  expect(listQuery({ status: 'all', q: ' x ' })).toBe('x');
  expect(listQuery({ q: '!is:resolved x' })).toBe('!is:resolved x');
  expect(hasTerm('this:is', 'is')).toBe(false);
});
