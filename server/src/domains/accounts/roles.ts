/** The roles of an organisation, and what each may do: the one table of it. */
import { areas } from '../../base/texts/accounts.ts';
import { expandScopes, type Scope } from './scopes.ts';

export { areas };

export type Area = keyof typeof areas;

const see: readonly Scope[] = ['org:read', 'member:read', 'project:read', 'event:read'];
const own: readonly Scope[] = ['org:read'];
const triage: readonly Scope[] = ['event:write'];
const releases: readonly Scope[] = ['project:releases'];
const settings: readonly Scope[] = ['project:write'];
const nothing: readonly Scope[] = [];

const admin = {
  see,
  triage,
  releases,
  alerts: ['event:write', 'org:write'],
  settings,
  members: ['member:write', 'member:admin'],
  tokens: ['org:read', 'org:ci', 'org:write'],
  privacy: ['project:write', 'org:write'],
  deletion: ['event:admin', 'project:admin'],
  audit: ['org:audit'],
} as const;

/**
 * Whose rights in an area reach how far. Where members see the projects of their teams only, those of a manager, a
 * member and a viewer end there too.
 */
export const roleTable = {
  owner: { ...admin, members: [...admin.members, 'org:admin'] },
  admin,
  manager: {
    see,
    triage,
    releases,
    alerts: triage,
    settings,
    members: ['member:write'],
    tokens: own,
    privacy: settings,
    deletion: nothing,
    audit: nothing,
  },
  member: {
    see,
    triage,
    releases,
    alerts: triage,
    settings: nothing,
    members: nothing,
    tokens: own,
    privacy: nothing,
    deletion: nothing,
    audit: nothing,
  },
  viewer: {
    see,
    triage: nothing,
    releases: nothing,
    alerts: nothing,
    settings: nothing,
    members: nothing,
    tokens: own,
    privacy: nothing,
    deletion: nothing,
    audit: nothing,
  },
} as const satisfies Record<string, Readonly<Record<Area, readonly Scope[]>>>;

export type Role = keyof typeof roleTable;

/** The one that may do most first. */
export const roles = Object.keys(roleTable) as [Role, ...Role[]];

export const isRole = (name: string): name is Role => Object.hasOwn(roleTable, name);

/** They see every project, whatever members see. */
export const seeingAll: readonly Role[] = ['owner', 'admin'];

/** What a member of an organisation may do there. A role that is not known allows nothing. */
export function scopesOfRole(role: string): Scope[] {
  return isRole(role) ? expandScopes(Object.values(roleTable[role]).flat()) : [];
}

/**
 * Whether who has these scopes may give the role, or take it: nobody gives more than they have. Who administers the
 * organisation gives any. Returns the scopes that are missing.
 */
export function missingForRole(held: readonly Scope[], role: string): Scope[] {
  return held.includes('org:admin') ? [] : scopesOfRole(role).filter((scope) => !held.includes(scope));
}
