import { expect, test } from 'vitest';
import { queryOf, segmentsOf, tokensOf, withoutToken } from './tokens.ts';

const texts = (query: string): string[] => tokensOf(query, 'issues').tokens.map(({ text }) => text);
const without = (query: string, text: string): string => {
  const { tokens } = tokensOf(query, 'issues');
  const unwanted = tokens.find((token) => token.text === text);
  if (!unwanted) throw new Error(`${text} is no token of ${query}`);
  return withoutToken(tokens, unwanted);
};

test('terms, operators and parentheses in the order of the text', () => {
  expect(texts('is:unresolved (level:[error, fatal] OR !browser:"Mobile Safari") cannot read')).toEqual([
    'is:unresolved',
    '(',
    'level:[error, fatal]',
    'OR',
    '!browser:"Mobile Safari"',
    ')',
    'cannot read',
  ]);
  expect(texts('has:user.email AND  "a  b"')).toEqual(['has:user.email', 'AND', '"a  b"']);
});

test('what cannot be understood stands there as well', () => {
  for (const query of [
    'level:',
    'url:te"st',
    '(level:error',
    'level:error)',
    'a OR',
    'x:[a,,b]',
    'age:soon',
    '()',
    '"',
  ]) {
    const { tokens } = tokensOf(query, 'issues');
    expect(
      tokens
        .map(({ text }) => text)
        .join('')
        .replaceAll(/\s/g, ''),
    ).toBe(query.replaceAll(/\s/g, ''));
    for (const { start, end, text } of tokens) expect(query.slice(start, end)).toBe(text);
  }
});

test('a token goes with what would stand alone without it', () => {
  expect(without('a:1 OR b:2', 'b:2')).toBe('a:1');
  expect(without('a:1 OR b:2', 'a:1')).toBe('b:2');
  expect(without('a:1 (b:2) c:3', 'b:2')).toBe('a:1 c:3');
  expect(without('((a:1 OR b:2) c:3)', 'b:2')).toBe('((a:1) c:3)');
  expect(without('a:1 OR b:2 OR c:3', 'b:2')).toBe('a:1 OR c:3');
  expect(without('a:1 AND (b:2 OR c:3)', 'OR')).toBe('a:1 AND (b:2 c:3)');
  expect(without('a:1', 'a:1')).toBe('');
});

test('tokens make the query again', () => {
  const query = 'a:1 (b:"x y" OR !c:3) words here';
  expect(queryOf(tokensOf(query, 'issues').tokens)).toBe(query);
});

test('a token is drawn in pieces: name, value, and what is wrong', () => {
  const [token] = tokensOf('  level:errr', 'events').tokens;
  if (!token) throw new Error('no token');
  expect(segmentsOf(token, [{ start: 8, end: 12 }])).toEqual([
    { text: 'level:', part: 'name', wrong: false },
    { text: 'errr', part: 'value', wrong: true },
  ]);
  expect(segmentsOf(token, [{ start: 100, end: 101 }]).map(({ text }) => text)).toEqual(['level:', 'errr']);
  expect(segmentsOf(token, [{ start: 3, end: 3 }]).find(({ wrong }) => wrong)?.text).toBe('e');
});
