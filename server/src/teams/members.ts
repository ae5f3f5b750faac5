/** Commands for members. */
import type { Role } from '../accounts/index.ts';
import { CodedError } from '../errors.ts';
import type { State, StateTransaction } from '../state/state.ts';
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
  if (!person) throw new CodedError('NOT_FOUND', [`member ${memberId}`]);
  return { person, people: members };
}

/** What is undefined stays. Throws `ROLE_TOO_HIGH`, `LAST_OWNER`. */
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
    }
    if (teamIds) await setTeamsOf(trx, { organizationId, userId: person.userId, teamIds }, now);
  });
}

/**
 * Ends a membership with its tokens and teams; the account stays, and so does all that the person said and did. Whoever
 * calls takes them off their issues. Returns who it was. Throws `ROLE_TOO_HIGH`, `LAST_OWNER`.
 */
export async function removeMember(state: State, change: Change): Promise<Person> {
  const { asker, organizationId, memberId } = change;
  return state.transaction(async (trx) => {
    const { person, people } = await memberAmong(trx, change);
    checkChange(person.userId === asker.userId ? { ...asker, role: person.role } : asker, person, undefined, people);
    const { userId } = person;
    await trx.deleteFrom('member').where('id', '=', memberId).execute();
    await setTeamsOf(trx, { organizationId, userId, teamIds: [] }, 0);
    await trx
      .deleteFrom('api_token')
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .where('kind', '=', 'user')
      .execute();
    return person;
  });
}
