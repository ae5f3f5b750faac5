import { expect, test } from 'vitest';
import { expandScopes, scopes, scopesOfRole } from './scopes.ts';

test('a stronger scope includes the weaker ones, and names that are no scopes are left out', () => {
  expect(expandScopes(['event:admin'])).toEqual(['event:read', 'event:write', 'event:admin']);
  expect(expandScopes(['project:write', 'project:read', 'nonsense', '__proto__', 'constructor'])).toEqual([
    'project:read',
    'project:write',
  ]);
  expect(expandScopes([])).toEqual([]);
});

test('roles allow what they should', () => {
  expect(scopesOfRole('owner')).toEqual(scopes);
  expect(scopesOfRole('admin')).not.toContain('org:admin');
  expect(scopesOfRole('member')).toEqual([
    'org:read',
    'member:read',
    'project:read',
    'project:releases',
    'event:read',
    'event:write',
  ]);
  expect(scopesOfRole('owner,admin')).toEqual([]);
});
