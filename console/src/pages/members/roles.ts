import type { Role } from '../../features/people/queries.ts';

export const roleNames: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

/** What somebody with `own` role may make of somebody who is `current`: only owners make and change owners. */
export function rolesFor(own: string, current: Role): readonly Role[] {
  if (own === 'owner') return ['owner', 'admin', 'member'];
  return own === 'admin' && current !== 'owner' ? ['admin', 'member'] : [current];
}
