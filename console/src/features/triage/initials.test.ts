import { expect, test } from 'vitest';
import { initials } from './initials.ts';

test.each([
  ['Ada Lovelace', 'AL'],
  ['ada@example.com', 'AD'],
  ['grace.m.hopper@example.com', 'GH'],
  ['web-frontend', 'WF'],
  ['x', 'X'],
  ['', '?'],
  ['👩‍💻 dev', '👩D'],
])('%j is %s', (name, letters) => {
  expect(initials(name)).toBe(letters);
});
