import { expect, test } from 'vitest';
import { fromField, fullness, toField, usedText } from './words.ts';

test('what is used is said of how much, bytes as sizes', () => {
  expect(usedText({ category: 'error', used: 800, amount: 1000 })).toBe('800 of 1,000 (80%)');
  expect(usedText({ category: 'error', used: 3, amount: 0 })).toBe('3 of 0');
  expect(usedText({ category: 'attachment', used: 0, amount: 5e9 }).replaceAll(/[^\w %().]/g, ' ')).toContain('5 GB');
});

test('a bar is full at most, and looks like what people are notified of', () => {
  expect(fullness({ used: 79, amount: 100 })).toEqual({ share: 0.79, tone: 'accent' });
  expect(fullness({ used: 80, amount: 100 }).tone).toBe('warning');
  expect(fullness({ used: 120, amount: 100 })).toEqual({ share: 1, tone: 'error' });
  expect(fullness({ used: 0, amount: 0 })).toEqual({ share: 1, tone: 'error' });
});

test('amounts go into a form and back, and what is none is refused', () => {
  expect([toField('error', 5), toField('attachment', 2_500_000)]).toEqual(['5', '2.5']);
  expect([fromField('attachment', '2.5'), fromField('error', ' 7 '), fromField('error', '0')]).toEqual([
    2_500_000, 7, 0,
  ]);
  for (const text of ['', ' ', '-1', '1.5', 'many', '1e400', '99999999999999999999']) {
    expect([text, fromField('error', text)]).toEqual([text, undefined]);
  }
});
