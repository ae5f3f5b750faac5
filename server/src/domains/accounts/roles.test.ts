import { expect, test } from 'vitest';
import { isRole, missingForRole, roles, scopesOfRole } from './roles.ts';
import { scopes } from './scopes.ts';

test('an owner may do all, an admin all but that, and nobody what a role that is not known would', () => {
  expect(scopesOfRole('owner')).toEqual(scopes);
  expect(scopesOfRole('admin')).toEqual(scopes.filter((scope) => scope !== 'org:admin'));
  for (const name of ['owner,admin', '', '__proto__', 'constructor', 'Owner']) {
    expect(isRole(name), name).toBe(false);
    expect(scopesOfRole(name), name).toEqual([]);
  }
});

test('a member triages, a manager changes projects and members as well, a viewer reads', () => {
  const member = ['org:read', 'member:read', 'project:read', 'project:releases', 'event:read', 'event:write'];
  expect(scopesOfRole('member')).toEqual(member);
  const more = ['project:write', 'member:invite', 'member:write'] as const;
  expect(scopesOfRole('manager').toSorted()).toEqual([...member, ...more].toSorted());
  expect(scopesOfRole('viewer')).toEqual(['org:read', 'member:read', 'project:read', 'event:read']);
  expect(scopesOfRole('viewer').every((scope) => scope.endsWith(':read'))).toBe(true);
});

test('each role may do what the next one may, and gives no more than it has', () => {
  for (const [index, role] of roles.entries()) {
    const held = scopesOfRole(role);
    for (const [other, lower] of roles.entries()) {
      expect(missingForRole(held, lower).length === 0, `${role} gives ${lower}`).toBe(other >= index);
    }
  }
});
