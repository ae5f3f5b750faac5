import { expect, test } from 'vitest';
import { expandScopes } from './scopes.ts';

test('a stronger scope includes the weaker ones, and names that are no scopes are left out', () => {
  expect(expandScopes(['event:admin'])).toEqual(['event:read', 'event:write', 'event:admin']);
  expect(expandScopes(['project:write', 'project:read', 'nonsense', '__proto__', 'constructor'])).toEqual([
    'project:read',
    'project:write',
  ]);
  expect(expandScopes([])).toEqual([]);
});
