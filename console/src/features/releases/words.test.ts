import { expect, test } from 'vitest';
import { authorName, shortCommit, subject } from './words.ts';

test('people and commits in short', () => {
  expect(authorName({ name: '', email: 'ada@example.com' })).toBe('ada@example.com');
  expect(authorName({ name: null, email: null })).toBe('unknown');
  expect(subject('\nprice: no null\n\nLong story')).toBe('price: no null');
  expect(subject(' ')).toBe('(no message)');
  expect(shortCommit('e1db737024b850838878')).toBe('e1db737');
  expect(shortCommit('r1234')).toBe('r1234');
});
