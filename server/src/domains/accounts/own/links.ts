/**
 * Links in mails about an account: a random token, of which the SHA-256 is kept. One is good for half an hour and once, and
 * a newer one of its kind replaces it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { CodedError } from '../../../base/errors.ts';
import type { AccountLinkTable } from '../../../ports/state/account-tables.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';

export const linkGoodForMs = 30 * 60_000;
const tokenForm = /^[\w-]{43}$/;

export type LinkKind = AccountLinkTable['kind'];

export interface AccountLink {
  readonly userId: string;
  /** Where it went. */
  readonly email: string;
  /** Of the user, now. */
  readonly current: { readonly email: string; readonly name: string };
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** Returns the token, which can be seen this one time. */
export async function makeLink(
  trx: StateTransaction,
  { userId, kind, email }: { readonly userId: string; readonly kind: LinkKind; readonly email: string },
  now: number,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const row = { token_hash: hashOf(token), email, created_at: now, expires_at: now + linkGoodForMs };
  await trx
    .insertInto('account_link')
    .values({ user_id: userId, kind, ...row })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(row))
    .execute();
  return token;
}

/** Looks, and uses nothing up. Throws `LINK_GONE`. */
export async function openLink(
  db: State['db'] | StateTransaction,
  kind: LinkKind,
  token: string,
  now: number,
): Promise<AccountLink> {
  const row = tokenForm.test(token)
    ? await db
        .selectFrom('account_link')
        .innerJoin('user', 'user.id', 'account_link.user_id')
        .select(['user_id', 'account_link.email', 'user.email as currentEmail', 'user.name'])
        .where('token_hash', '=', hashOf(token))
        .where('kind', '=', kind)
        .where('expires_at', '>', now)
        .executeTakeFirst()
    : undefined;
  if (!row) throw new CodedError('LINK_GONE');
  return { userId: row.user_id, email: row.email, current: { email: row.currentEmail, name: row.name } };
}

/** Throws `LINK_GONE`, also for the later one of two at once. */
export async function useLink(trx: StateTransaction, kind: LinkKind, token: string, now: number): Promise<AccountLink> {
  const link = await openLink(trx, kind, token, now);
  const used = await trx
    .deleteFrom('account_link')
    .where('token_hash', '=', hashOf(token))
    .returning('user_id')
    .executeTakeFirst();
  if (!used) throw new CodedError('LINK_GONE');
  return link;
}

/** The address that waits to be confirmed. */
export async function pendingEmailOf(state: State, userId: string, now: number): Promise<string | undefined> {
  const row = await state.db
    .selectFrom('account_link')
    .select('email')
    .where('user_id', '=', userId)
    .where('kind', '=', 'email')
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return row?.email;
}

/** False where there is none. */
export async function dropLink(state: State, userId: string, kind: LinkKind): Promise<boolean> {
  const dropped = await state.db
    .deleteFrom('account_link')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('user_id')
    .executeTakeFirst();
  return dropped !== undefined;
}
