import type { Role } from './queries.ts';

/** The one that may do most first. */
export const roles: readonly Role[] = ['owner', 'admin', 'manager', 'member', 'viewer'];

/** The roles that a person with `own` role may set for one who is `current`: nobody gives or takes more than they have. */
export function rolesFor(own: string, current: Role): readonly Role[] {
  const highest = roles.findIndex((role) => role === own);
  return highest < 0 || roles.indexOf(current) < highest ? [current] : roles.slice(highest);
}
