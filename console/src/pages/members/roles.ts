import type { Role } from '../../features/people/queries.ts';

/** The roles that a person with `own` role may set for one who is `current`: only owners create and change owners. */
export function rolesFor(own: string, current: Role): readonly Role[] {
  if (own === 'owner') return ['owner', 'admin', 'member'];
  return own === 'admin' && current !== 'owner' ? ['admin', 'member'] : [current];
}
