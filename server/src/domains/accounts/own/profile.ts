/** Name and address. Whoever has the new address confirms it by a link that went there. */
import { CodedError } from '../../../base/errors.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Also, User } from '../users.ts';
import { makeLink, useLink } from './links.ts';

export async function renameUser(state: State, userId: string, name: string): Promise<void> {
  await state.db.updateTable('user').set({ name, updatedAt: new Date() }).where('id', '=', userId).execute();
}

/** The token of the link for the new address; `isFree` is false where another account has it. */
export async function askForEmail(
  state: State,
  userId: string,
  email: string,
  now: number,
): Promise<{ readonly token: string; readonly isFree: boolean }> {
  return state.transaction(async (trx) => {
    const other = await trx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst();
    // One that leads nowhere all the same: what is seen of it tells nothing.
    const token = await makeLink(trx, { userId, kind: 'email', email }, now);
    return { token, isFree: other === undefined };
  });
}

export interface ChangedEmail {
  readonly user: User;
  readonly formerEmail: string;
}

/** Links that set a password went to the former address: they end. Throws `LINK_GONE`, `ACCOUNT_EXISTS`. */
export async function confirmEmail(
  state: State,
  token: string,
  now: number,
  also?: Also<ChangedEmail>,
): Promise<ChangedEmail> {
  return state.transaction(async (trx) => {
    const { userId, email, current } = await useLink(trx, 'email', token, now);
    const other = await trx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst();
    if (other) throw new CodedError('ACCOUNT_EXISTS', [email]);
    await trx
      .updateTable('user')
      .set({ email, emailVerified: true, updatedAt: new Date(now) })
      .where('id', '=', userId)
      .execute();
    await trx.deleteFrom('account_link').where('user_id', '=', userId).execute();
    const changed = { user: { id: userId, email, name: current.name }, formerEmail: current.email };
    await also?.(trx, changed);
    return changed;
  });
}
