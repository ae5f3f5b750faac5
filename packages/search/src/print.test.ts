import { expect, test } from 'vitest';
import { filterText, parseSearch, printSearch, termText } from './index.ts';

test.each([
  ['level', 'error', 'level:error'],
  ['browser.name', 'Chrome Mobile', 'browser.name:"Chrome Mobile"'],
  ['odd key', 'x', '"odd key":x'],
  ['tags[level]', 'x', 'tags[level]:x'],
  ['a"b', 'say "hi"', '"a\\"b":"say \\"hi\\""'],
  ['url', 'https://x/*?a=(1)', 'url:"https://x/\\*?a=(1)"'],
  ['plan', '', 'plan:""'],
  ['plan', '>5', 'plan:">5"'],
  ['plan', '[a]', 'plan:"[a]"'],
  ['path', 'C:\\dir\\', 'path:C:\\dir\\'],
  ['path', 'C:\\my dir\\', 'path:"C:\\my dir\\\\"'],
])('%s is %j: %s', (key, value, expected) => {
  expect(termText(key, value)).toBe(expected);
});

test.each([
  'error',
  '',
  ' ',
  'a b',
  '"',
  '\\',
  '\\"',
  'a\\',
  '*',
  '\\*',
  '(x)',
  '[a, b]',
  '>5',
  '!=x',
  'a\nb',
  '\ud800',
  '\0',
  '\uf00dContains\uf00dx',
])('the term of the value %j finds it and nothing else', (value) => {
  const { items, problems } = parseSearch(termText('plan', value));
  expect(problems).toEqual([]);
  expect(items).toHaveLength(1);
  expect(items[0]).toMatchObject({ value: { type: 'text', wildcard: false, text: value.replaceAll('*', '\\*') } });
});

test.each([
  'is:unresolved  level:[error,  fatal]',
  'timesSeen:>2.5k AND age:-24h',
  'firstSeen:2026-02-03 firstSeen:=2026-02-03T10:00 lastSeen:>2026-02-03T10:11:12.5+01:00 lastSeen:<=2026-01-01',
  '(a:b OR !c:"d e") "x" y (z) has:"odd key"',
])('%s', (query) => {
  const { items } = parseSearch(query);
  expect(printSearch(parseSearch(printSearch(items)).items)).toBe(printSearch(items));
});

test('patterns and amounts are written as they are', () => {
  expect(filterText('release', '1.*')).toBe('release:1.*');
  expect(filterText('timesSeen', '12')).toBe('timesSeen:12');
});
