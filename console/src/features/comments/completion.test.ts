import { expect, test } from 'vitest';
import { askedAt, complete, type Named, offered } from './completion.ts';

const people: Named[] = [
  { kind: 'user', handle: 'jane', name: 'Jane Doe' },
  { kind: 'user', handle: 'kim.lee', name: 'Kim Jansson' },
  { kind: 'user', handle: 'ana', name: 'Ana' },
  { kind: 'team', handle: 'payments', name: 'Money' },
];

test.each([
  ['@', 1, { start: 0, kind: 'user', text: '' }],
  ['Ask @Ja', 7, { start: 4, kind: 'user', text: 'ja' }],
  ['(#pay', 5, { start: 1, kind: 'team', text: 'pay' }],
  ['Ask @jane now', 9, { start: 4, kind: 'user', text: 'jane' }],
  ['mail me@ja', 10, undefined],
  ['Ask @jane now', 13, undefined],
  ['@a/b', 4, undefined],
])('%s at %i', (text, caret, asked) => {
  expect(askedAt(text, caret)).toEqual(asked);
});

test('handles go before names', () => {
  const names = (text: string, kind: Named['kind'] = 'user') =>
    offered(people, { start: 0, kind, text }).map(({ handle }) => handle);
  expect(names('ja')).toEqual(['jane', 'kim.lee']);
  expect(names('')).toEqual(['ana', 'jane', 'kim.lee']);
  expect(names('mo', 'team')).toEqual(['payments']);
  expect(names('x')).toEqual([]);
});

test('the name takes the place of what was written, with one space behind it', () => {
  const [jane] = people;
  const asked = askedAt('Ask @ja please', 7);
  if (!asked || !jane) throw new Error('nothing asked');
  expect(complete('Ask @ja please', 7, asked, jane)).toEqual({ text: 'Ask @jane please', caret: 10 });
  expect(complete('Ask @ja', 7, asked, jane)).toEqual({ text: 'Ask @jane ', caret: 10 });
});
