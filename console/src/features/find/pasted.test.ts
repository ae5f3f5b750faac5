import { expect, test } from 'vitest';
import { askable, isTelling, namesFailure } from './pasted.ts';

test('a short paste is asked as it is', () => {
  expect(askable('  Digest: 1930860604\n')).toBe('Digest: 1930860604');
  expect(askable('a\0b\ud800')).toBe('ab\ufffd');
});

test('of a long paste the beginning stays, and whatever names something', () => {
  const long = `Something went wrong ${'x '.repeat(5000)}\nDigest: 1930860604\n${'y '.repeat(5000)} ERROR 695951548 Digest: 1930860604`;
  const asked = askable(long);
  expect(asked.startsWith('Something went wrong')).toBe(true);
  expect(asked).toContain('Digest: 1930860604\nERROR 695951548');
  expect(asked.length).toBeLessThanOrEqual(1200);
  expect(encodeURIComponent(askable('\u{1f600}'.repeat(40_000))).length).toBeLessThan(12_000);
});

test('a hostile paste is read in time that grows with its length', () => {
  for (const text of ['digest', 'digest: ', 'https://', '0123456789abcdef', 'error "'])
    expect(askable(text.repeat(100_000)).length).toBeLessThanOrEqual(1200);
});

test.each([
  '1930860604',
  '3254426033@E7',
  'ERROR 695951548',
  'Digest: 1930860604',
  'WEB-42',
  'https://shop.example.com/product/7',
  'e1f2a3b4c5d6e7f80910111213141516',
  'This page couldn’t load\nA server error occurred.',
])('%s is asked at once', (text) => expect(isTelling(text)).toBe(true));

test.each(['health', 'go to issues', 'TypeError', 'error 42'])('%s may be a command', (text) =>
  expect(isTelling(text)).toBe(false),
);

test.each([
  'Application error: a server-side exception has occurred while loading shop.example.com',
  'This page couldn’t load\nERROR 695951548',
  ' 1930860604 ',
  '3254426033@E7',
  'Digest: 7',
  'e1f2a3b4c5d6e7f80910111213141516',
  '8efd84a8c32d4e7c',
  'traceparent: 00-e1f2a3b4c5d6e7f80910111213141516-8efd84a8c32d4e7c-01',
])('%s is no search for words', (text) => expect(namesFailure(text)).toBe(true));

test.each(['Cannot read properties of null', 'level:error', 'error 42', 'release:1930860604', '404'])(
  '%s is a search for words',
  (text) => expect(namesFailure(text)).toBe(false),
);

test('of a long stack trace both ends are asked for', () => {
  const frames = Array.from({ length: 60 }, (_, line) => `  File "/srv/shop/cart.py", line ${line}, in call_${line}`);
  const asked = askable(['Traceback (most recent call last):', ...frames, 'OutOfStock: no tea left'].join('\n'));
  expect(asked.length).toBeLessThanOrEqual(1200);
  const lines = asked.split('\n');
  expect([lines[0], lines.at(-1)]).toEqual(['Traceback (most recent call last):', 'OutOfStock: no tea left']);
  expect(lines.slice(1, -1).every((line) => frames.includes(line))).toBe(true);
});
