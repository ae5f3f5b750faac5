/** Commands for members. */
import { missingForRole, revokeTokensOf, type Role, roles, scopesOfRole } from '../accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { things } from '../../base/texts/things.ts';
import { peopleOf, type Person } from './people.ts';
import { type Asker, checkChange } from './roles.ts';
import { setTeamsOf } from './teams.ts';

interface Change {
  readonly asker: Asker;
  readonly organizationId: string;
  /** Id of the membership. */
  readonly memberId: string;
}

/** Read within the transaction, so that of two owners who leave at once one stays. */
async function memberAmong(
  trx: StateTransaction,
  { organizationId, memberId }: Change,
): Promise<{ person: Person; people: readonly Person[] }> {
  const { members } = await peopleOf({ db: trx }, organizationId);
  const person = members.find(({ id }) => id === memberId);
  if (!person) throw new CodedError('NOT_FOUND', [things.member(memberId)]);
  return { person, people: members };
}

/** Open invitations beyond the role that the inviter has now: they would be a way back. */
export async function takeBackInvitations(
  trx: StateTransaction,
  { organizationId, userId, role }: { organizationId: string; userId: string; role: Role | '' },
): Promise<void> {
  const scopes = scopesOfRole(role);
  const beyond = roles.filter((each) => missingForRole(scopes, each).length > 0);
  if (beyond.length === 0) return;
  await trx
    .deleteFrom('invite')
    .where('organization_id', '=', organizationId)
    .where('inviter_id', '=', userId)
    .where('role', 'in', beyond)
    .execute();
}

/** What is undefined stays. Throws `ROLE_TOO_HIGH`, `SCOPE_MISSING`, `LAST_OWNER`. */
export async function updateMember(
  state: State,
  change: Change & { readonly role?: Role | undefined; readonly teamIds?: readonly number[] | undefined },
  now: number,
): Promise<void> {
  const { asker, organizationId, memberId, role, teamIds } = change;
  await state.transaction(async (trx) => {
    const { person, people } = await memberAmong(trx, change);
    if (role !== undefined && role !== person.role) {
      checkChange(asker, person, role, people);
      await trx.updateTable('member').set({ role }).where('id', '=', memberId).execute();
      await takeBackInvitations(trx, { organizationId, userId: person.userId, role });
    }
    if (teamIds) await setTeamsOf(trx, { organizationId, userId: person.userId, teamIds }, now);
  });
}

/**
 * Ends a membership with its tokens, teams and invitations, and the build tokens that the person made unless they are kept;
 * the account stays, and so does all that the person said and did. Whoever calls takes them off their issues. Returns who it was. Throws `ROLE_TOO_HIGH`, `SCOPE_MISSING`, `LAST_OWNER`.
 */
export async function removeMember(
  state: State,
  change: Change & { readonly keepsBuildTokens: boolean },
): Promise<Person> {
  const { asker, organizationId, memberId, keepsBuildTokens } = change;
  return state.transaction(async (trx) => {
    const { person, people } = await memberAmong(trx, change);
    checkChange(asker, person, undefined, people);
    await endMembership(trx, { organizationId, memberId, userId: person.userId, keepsBuildTokens });
    return person;
  });
}

/** As `removeMember`, whoever asks for it. */
export async function endMembership(
  trx: StateTransaction,
  membership: {
    readonly organizationId: string;
    readonly memberId: string;
    readonly userId: string;
    readonly keepsBuildTokens: boolean;
  },
): Promise<void> {
  const { organizationId, memberId, userId, keepsBuildTokens } = membership;
  await trx.deleteFrom('member').where('id', '=', memberId).execute();
  await setTeamsOf(trx, { organizationId, userId, teamIds: [] }, 0);
  await revokeTokensOf(trx, { userId, organizationId, buildTokens: !keepsBuildTokens });
  await takeBackInvitations(trx, { organizationId, userId, role: '' });
}
