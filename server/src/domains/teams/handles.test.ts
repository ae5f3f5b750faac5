import { expect, test } from 'vitest';
import { handlesOf } from './handles.ts';

const handles = (...people: [userId: string, email: string][]) =>
  Object.fromEntries(handlesOf(people.map(([userId, email]) => ({ userId, email }))));

test('a handle is the part before the @', () => {
  expect(handles(['1', 'jane.doe@example.com'], ['2', 'Kim@example.com'])).toEqual({ 1: 'jane.doe', 2: 'kim' });
});

test('those who have the same get the name of the host behind it, and a number where that is the same too', () => {
  expect(
    handles(['1', 'jane@acme.com'], ['2', 'jane@other.org'], ['3', 'jane@acme.org'], ['4', 'jane-acme@example.com']),
  ).toEqual({ 1: 'jane-acme-2', 2: 'jane-other', 3: 'jane-acme-3', 4: 'jane-acme' });
});

test('the order in which people come does not matter', () => {
  const people: [string, string][] = [
    ['1', 'a@x.com'],
    ['2', 'a@y.com'],
    ['3', 'b@x.com'],
  ];
  expect(handles(...people.toReversed())).toEqual(handles(...people));
});

test('signs that no handle has are replaced, and a name of nothing else is one all the same', () => {
  expect(handles(['1', 'josé+work@example.com'], ['2', '"…"@example.com'], ['3', '__proto__@example.com'])).toEqual({
    1: 'jos-work',
    2: 'member',
    3: 'proto',
  });
});
