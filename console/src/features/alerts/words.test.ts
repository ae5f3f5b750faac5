import { expect, test } from 'vitest';
import { momentsAround, span, untilTomorrow } from './words.ts';

test.each([
  [0, 'never'],
  [5, '5\u00a0min'],
  [90, '1\u00a0h 30\u00a0min'],
  [180, '3\u00a0h'],
  [1440, '1\u00a0d'],
  [10_080, '7\u00a0d'],
])('%i minutes are %s', (minutes, text) => expect(span(minutes)).toBe(text));

test('tomorrow begins at 8', () => {
  expect(untilTomorrow(new Date(2026, 2, 1, 20, 0))).toBe(12 * 60);
  expect(untilTomorrow(new Date(2026, 2, 1, 0, 30))).toBe(31.5 * 60);
});

test('what fired is looked at with what was before', () => {
  expect(momentsAround('2026-03-01T12:00:00.000Z', 60)).toEqual({
    start: '2026-03-01T06:00:00.000Z',
    end: '2026-03-01T13:00:00.000Z',
  });
});
