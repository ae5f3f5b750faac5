/** A new password: chosen by who is signed in, or by the link of a mail. */
import { CodedError } from '../../../base/errors.ts';
import { things } from '../../../base/texts/things.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { checked } from '../../projects/index.ts';
import { newPassword } from '../input.ts';
import { hashNewPassword } from '../passwords/new.ts';
import { type Also, setPasswordHash, type User } from '../users.ts';
import { makeLink, openLink, useLink } from './links.ts';
import { endSessions } from './sessions.ts';

/**
 * Ends all sessions but the one that is kept; returns how many. The current password was asked before. `also` belongs to
 * the same transaction, as in the others.
 */
export async function changePassword(
  state: State,
  user: User,
  { password, keptSessionId }: { readonly password: string; readonly keptSessionId: string },
  also?: Also<number>,
): Promise<number> {
  checked(newPassword, { email: user.email, password });
  const passwordHash = await hashNewPassword(state, password, { email: user.email, names: [user.name] });
  return state.transaction(async (trx) => {
    await setPasswordHash(trx, user.id, passwordHash);
    const ended = await endSessions(trx, { userId: user.id, keptSessionId });
    await also?.(trx, ended);
    return ended;
  });
}

/** A link for whoever has the address; undefined where nobody does. */
export async function forgotPassword(
  state: State,
  email: string,
  now: number,
  also?: Also<User>,
): Promise<{ readonly user: User; readonly token: string } | undefined> {
  return state.transaction(async (trx) => {
    const user = await trx
      .selectFrom('user')
      .select(['id', 'email', 'name'])
      .where('email', '=', email)
      .executeTakeFirst();
    if (!user) return undefined;
    const token = await makeLink(trx, { userId: user.id, kind: 'reset', email }, now);
    await also?.(trx, user);
    return { user, token };
  });
}

/**
 * A link that signs its user in whatever else is asked of them, and sets a new password. Made on the host, by who may do
 * anything with the installation. Throws `NOT_FOUND` when nobody has the address.
 */
export async function makeRecoveryLink(
  trx: StateTransaction,
  email: string,
  now: number,
): Promise<{ readonly user: User; readonly token: string }> {
  const user = await trx
    .selectFrom('user')
    .select(['id', 'email', 'name'])
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst();
  if (!user) throw new CodedError('NOT_FOUND', [things.user(email)]);
  return { user, token: await makeLink(trx, { userId: user.id, kind: 'recovery', email: user.email }, now) };
}

/**
 * Signs the user out everywhere. A password that is refused does not use the link up. Throws `LINK_GONE`, also where the
 * account has another address by now.
 */
export async function setPasswordByLink(
  state: State,
  {
    kind = 'reset',
    token,
    password,
  }: { readonly kind?: 'reset' | 'recovery'; readonly token: string; readonly password: string },
  now: number,
  also?: Also<User>,
): Promise<User> {
  const { email, current } = await openLink(state.db, kind, token, now);
  checked(newPassword, { email, password });
  const passwordHash = await hashNewPassword(state, password, { email, names: [current.name] });
  return state.transaction(async (trx) => {
    const link = await useLink(trx, kind, token, now);
    if (link.current.email !== link.email) throw new CodedError('LINK_GONE');
    await setPasswordHash(trx, link.userId, passwordHash);
    await endSessions(trx, { userId: link.userId });
    const user = { id: link.userId, ...link.current };
    await also?.(trx, user);
    return user;
  });
}
