/** Becoming a member by an invitation. */
import { hashNewPassword, insertMember, insertUser, type User } from '../accounts/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { type Invitation, useInvitation } from './invitations.ts';

/** Done in the transaction that makes the member. */
type Joined = (trx: StateTransaction, user: Pick<User, 'id' | 'email'>) => Promise<unknown>;

/**
 * Who is signed in joins as they are; one who is a member already keeps their role. Throws `INVITATION_FOR_OTHER` for
 * another address than the one that was invited.
 */
export async function joinAs(
  state: State,
  invitation: Invitation,
  { id: userId, email }: Pick<User, 'id' | 'email'>,
  now: number,
  also?: Joined,
): Promise<void> {
  const { organizationId, role } = invitation;
  if (email.toLowerCase() !== invitation.email) {
    throw new CodedError('INVITATION_FOR_OTHER', [invitation.email, email]);
  }
  await useInvitation(
    state,
    invitation,
    async (trx) => {
      const member = await trx
        .selectFrom('member')
        .select('id')
        .where('organizationId', '=', organizationId)
        .where('userId', '=', userId)
        .executeTakeFirst();
      if (!member) await insertMember(trx, { organizationId, userId, role });
      await also?.(trx, { id: userId, email });
      return userId;
    },
    now,
  );
}

/** Makes an account with the address of the invitation. Throws `ACCOUNT_EXISTS` where there is one. */
export async function joinAsNew(
  state: State,
  invitation: Invitation,
  { name, password }: { readonly name: string | undefined; readonly password: string },
  now: number,
  also?: Joined,
): Promise<void> {
  const { organizationId, email, role } = invitation;
  if (await hasAccount(state, email)) throw new CodedError('ACCOUNT_EXISTS', [email]);
  const passwordHash = await hashNewPassword(state, password, { email, names: [name ?? ''] });
  await useInvitation(
    state,
    invitation,
    async (trx) => {
      const other = await trx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst();
      if (other) throw new CodedError('ACCOUNT_EXISTS', [email]);
      const { id } = await insertUser(trx, { email, ...(name && { name }), passwordHash });
      await insertMember(trx, { organizationId, userId: id, role });
      await also?.(trx, { id, email });
      return id;
    },
    now,
  );
}

export async function hasAccount(state: State, email: string): Promise<boolean> {
  return (await state.db.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst()) !== undefined;
}
