/** Roles and teams that another system gives: the groups of a provider, a directory. Nobody here asks, so nobody is asked about. */
import type { Role } from '../accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { StateTransaction } from '../../ports/state/state.ts';
import { takeBackInvitations } from './members.ts';
import { peopleOf } from './people.ts';
import { addToTeams } from './teams.ts';

export interface Placement {
  /** Undefined: as it is. */
  readonly role: Role | undefined;
  /** Teams to be in, of those that are named. */
  readonly teamIds: readonly number[];
  /** Teams that the other system decides about. */
  readonly namedTeamIds: readonly number[];
}

/** As the audit log tells it. */
export interface Placed {
  readonly role: Role;
  /** Slugs of teams. */
  readonly teams: readonly string[];
}

/** The only owner stays owner, whatever the other system says. */
export async function placeMember(
  trx: StateTransaction,
  { organizationId, userId }: { readonly organizationId: string; readonly userId: string },
  { role, teamIds, namedTeamIds }: Placement,
  now: number,
): Promise<{ readonly before: Placed; readonly after: Placed; readonly changed: boolean }> {
  const { members, teams } = await peopleOf({ db: trx }, organizationId);
  const person = members.find((one) => one.userId === userId);
  if (!person) throw new CodedError('NOT_FOUND', ['member']);
  const isLastOwner = person.role === 'owner' && members.filter((one) => one.role === 'owner').length === 1;
  const next = role === undefined || isLastOwner ? person.role : role;
  if (next !== person.role) {
    await trx.updateTable('member').set({ role: next }).where('id', '=', person.id).execute();
    await takeBackInvitations(trx, { organizationId, userId, role: next });
  }
  const wanted = new Set(teamIds);
  const own = teams.filter((team) => team.members.includes(userId));
  const ownIds = new Set(own.map(({ id }) => id));
  const left = namedTeamIds.filter((id) => ownIds.has(id) && !wanted.has(id));
  const joined = teams.filter(({ id }) => wanted.has(id) && !ownIds.has(id));
  if (left.length) {
    await trx.deleteFrom('team_member').where('user_id', '=', userId).where('team_id', 'in', left).execute();
  }
  const joinedIds = joined.map(({ id }) => id);
  await addToTeams(trx, userId, joinedIds, now);
  const goneIds = new Set(left);
  const slugs = (of: typeof teams): string[] => of.map(({ slug }) => slug).toSorted();
  return {
    before: { role: person.role, teams: slugs(own) },
    after: { role: next, teams: slugs([...own.filter(({ id }) => !goneIds.has(id)), ...joined]) },
    changed: next !== person.role || left.length > 0 || joined.length > 0,
  };
}
