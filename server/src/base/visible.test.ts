import { expect, test } from 'vitest';
import { cutText, visible, visibleLine } from './visible.ts';

test.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['a\u0007b\u0000', String.raw`a\u{7}b\u{0}`],
  ['left\u202eright', String.raw`left\u{202e}right`],
  ['no\u200bbreak\ufeff', String.raw`no\u{200b}break\u{feff}`],
  ['tag\u{e0041}', String.raw`tag\u{e0041}`],
  ['half \ud800', String.raw`half \u{d800}`],
  ['next\u2028line', String.raw`next\u{2028}line`],
  ['one\r\ntwo\tthree', 'one\ntwo\tthree'],
  ['übergröße 価格 😀', 'übergröße 価格 😀'],
])('%j', (text, shown) => expect(visible(text)).toBe(shown));

test('one line, cut where characters end', () => {
  expect(visibleLine(' a\n\n  b ', 10)).toBe('a b');
  expect(cutText('abc😀def', 5)).toBe('abc…');
  expect(visibleLine('\u202e'.repeat(50), 40).length).toBeLessThanOrEqual(40);
});
