import { expect, test } from 'vitest';
import { span, untilTomorrow } from './words.ts';

test.each([
  [0, 'never'],
  [5, '5 min'],
  [90, '90 min'],
  [180, '3 h'],
  [1440, '1 d'],
  [10_080, '7 d'],
])('%i minutes are %s', (minutes, text) => expect(span(minutes)).toBe(text));

test('tomorrow begins at 8', () => {
  expect(untilTomorrow(new Date(2026, 2, 1, 20, 0))).toBe(12 * 60);
  expect(untilTomorrow(new Date(2026, 2, 1, 0, 30))).toBe(31.5 * 60);
});
