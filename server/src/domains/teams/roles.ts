/** Who may give and take which role. */
import { missingForRole, type Role, type Scope, scopesOfRole } from '../accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { roles as texts } from '../../base/texts/accounts.ts';
import type { Person } from './people.ts';

export const roleNames: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  manager: 'Manager',
  member: 'Member',
  viewer: 'Viewer',
};

/** What all who may change members may change. */
const ordinary: readonly Role[] = ['member', 'viewer'];

/** Who asks, and by what: a session has the scopes of the role, a token those of its own that the role has. */
export interface Asker {
  readonly kind: 'session' | 'token';
  readonly role: string;
  readonly scopes: readonly Scope[];
}

const maxNamed = 3;

/** Those who may, for people who may not. */
function ownersInWords(people: readonly Person[]): string {
  const owners = people.filter(({ role }) => role === 'owner').map(({ name, email }) => `${name} <${email}>`);
  const more = owners.length - maxNamed;
  return texts.people(owners.slice(0, maxNamed), more);
}

function check(asker: Asker, role: Role, what: string, people: readonly Person[]): void {
  const missing = missingForRole(asker.scopes, role);
  if (missing.length === 0) return;
  if (asker.kind === 'session' || missingForRole(scopesOfRole(asker.role), role).length > 0) {
    const who = role === 'owner' ? texts.owner : texts.admin;
    throw new CodedError('ROLE_TOO_HIGH', [who, what, ownersInWords(people)]);
  }
  throw new CodedError('SCOPE_MISSING', [texts.scope(role, missing)]);
}

/** Nobody gives more than they have: throws `ROLE_TOO_HIGH`, or `SCOPE_MISSING` where it is the token that has less. */
export function checkGiving(asker: Asker, role: Role, people: readonly Person[]): void {
  check(asker, role, texts.give(role), people);
}

/** Nor takes it from somebody, also from somebody who is invited; members and viewers are for all who may change members. */
export function checkTaking(asker: Asker, role: Role, people: readonly Person[]): void {
  if (ordinary.includes(role)) return;
  check(asker, role, texts.take(role), people);
}

/** As both, and `LAST_OWNER`, unless the asker may make the member something else; undefined: nothing any more. */
export function checkChange(asker: Asker, person: Person, role: Role | undefined, people: readonly Person[]): void {
  if (role === person.role) return;
  if (role !== undefined) checkGiving(asker, role, people);
  checkTaking(asker, person.role, people);
  if (person.role === 'owner' && people.filter((one) => one.role === 'owner').length === 1) {
    throw new CodedError('LAST_OWNER', [person.name]);
  }
}
