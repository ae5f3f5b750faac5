/** Who may give and take which role. */
import type { Role } from '../accounts/index.ts';
import { CodedError } from '../errors.ts';
import type { Person } from './people.ts';

export const roleNames: Readonly<Record<Role, string>> = { owner: 'Owner', admin: 'Admin', member: 'Member' };

/** Who asks: only an owner makes owners and changes what owners are. */
export interface Asker {
  readonly userId: string;
  readonly role: string;
}

const mostNamed = 3;

/** Those who may, for people who may not. */
function ownersInWords(people: readonly Person[]): string {
  const owners = people.filter(({ role }) => role === 'owner').map(({ name, email }) => `${name} <${email}>`);
  const more = owners.length - mostNamed;
  return owners.slice(0, mostNamed).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

/** Throws `ROLE_TOO_HIGH` unless the asker may give the role. */
export function checkGiving(asker: Asker, role: Role, people: readonly Person[]): void {
  if (role === 'owner' && asker.role !== 'owner') {
    throw new CodedError('ROLE_TOO_HIGH', ['make somebody an owner', ownersInWords(people)]);
  }
}

/** Throws `ROLE_TOO_HIGH` or `LAST_OWNER` unless the asker may make the member something else; undefined: nothing any more. */
export function checkChange(asker: Asker, person: Person, role: Role | undefined, people: readonly Person[]): void {
  if (role !== undefined && role !== person.role) checkGiving(asker, role, people);
  if (person.role !== 'owner' || role === 'owner') return;
  if (asker.role !== 'owner') {
    throw new CodedError('ROLE_TOO_HIGH', ['change or remove an owner', ownersInWords(people)]);
  }
  if (people.filter((one) => one.role === 'owner').length === 1) throw new CodedError('LAST_OWNER', [person.name]);
}
