/** Users, as better-auth would have made them: its sign-up is off, for only the set-up and owners make accounts. */
import { generateRandomString } from 'better-auth/crypto';
import { CodedError } from '../../base/errors.ts';
import { checked } from '../projects/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { taken, things } from '../../base/texts/things.ts';
import { newPassword, newUser } from './input.ts';
import { hashNewPassword } from './passwords/new.ts';
import type { Role } from './roles.ts';

export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** Done in the transaction that makes the result. */
export type Also<T> = (trx: StateTransaction, made: T) => Promise<unknown>;

export const newId = (): string => generateRandomString(32, 'a-z', 'A-Z', '0-9');

/** The part before the @, for someone who did not say. */
const nameFrom = (email: string): string => email.slice(0, email.indexOf('@'));

/** `passwordHash` is made beforehand: it takes long, and a transaction holds the write lock. Without one, a provider signs them in. */
export async function insertUser(
  trx: StateTransaction,
  input: { readonly email: string; readonly name?: string; readonly passwordHash?: string },
): Promise<User> {
  const now = new Date();
  const user: User = { id: newId(), email: input.email, name: input.name ?? nameFrom(input.email) };
  await trx
    .insertInto('user')
    // No mail was sent, but whoever made the account vouches for the address.
    .values({ ...user, emailVerified: true, image: null, createdAt: now, updatedAt: now })
    .execute();
  if (input.passwordHash === undefined) return user;
  await trx
    .insertInto('account')
    .values({
      id: newId(),
      accountId: user.id,
      providerId: 'credential',
      userId: user.id,
      password: input.passwordHash,
      createdAt: now,
      updatedAt: now,
    })
    .execute();
  return user;
}

export async function insertMember(
  trx: StateTransaction,
  membership: { readonly organizationId: string; readonly userId: string; readonly role: Role },
): Promise<void> {
  await trx
    .insertInto('member')
    .values({ id: newId(), ...membership, createdAt: new Date() })
    .execute();
}

export interface NewUser {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  /** The organisation that the user becomes a member of. */
  readonly organizationId: string;
  readonly role?: Role;
}

/** Throws `SLUG_TAKEN` when the address has an account, `NOT_FOUND` when there is no such organisation. */
export async function createUser(
  state: State,
  { organizationId, role = 'member', ...input }: NewUser,
  also?: (trx: StateTransaction, made: User) => Promise<unknown>,
): Promise<User> {
  const { email, password, name } = checked(newUser, input);
  const passwordHash = await hashNewPassword(state, password, { email, names: [name ?? ''] });
  return state.transaction(async (trx) => {
    const organization = await trx
      .selectFrom('organization')
      .select('id')
      .where('id', '=', organizationId)
      .executeTakeFirst();
    if (!organization) throw new CodedError('NOT_FOUND', [things.anOrganization]);
    const other = await trx.selectFrom('user').select('id').where('email', '=', email).executeTakeFirst();
    if (other) throw new CodedError('SLUG_TAKEN', [taken.address(email)]);
    const user = await insertUser(trx, { email, name, passwordHash });
    await insertMember(trx, { organizationId, userId: user.id, role });
    await also?.(trx, user);
    return user;
  });
}

/** Throws `NOT_FOUND` when nobody has the address. */
export async function userIdOf(db: State['db'] | StateTransaction, email: string): Promise<string> {
  const user = await db.selectFrom('user').select('id').where('email', '=', email.toLowerCase()).executeTakeFirst();
  if (!user) throw new CodedError('NOT_FOUND', [things.user(email)]);
  return user.id;
}

/** When the account was made, ms; undefined where there is none. */
export async function joinedAt(state: State, userId: string): Promise<number | undefined> {
  const row = await state.db.selectFrom('user').select('createdAt').where('id', '=', userId).executeTakeFirst();
  return row && new Date(row.createdAt).getTime();
}

/** When the password of an account was set, ms; undefined where there is none. */
export async function passwordSetAt(state: State, email: string): Promise<number | undefined> {
  const row = await state.db
    .selectFrom('account')
    .innerJoin('user', 'user.id', 'account.userId')
    .select('account.updatedAt')
    .where('user.email', '=', email)
    .where('account.providerId', '=', 'credential')
    .executeTakeFirst();
  return row && new Date(row.updatedAt).getTime();
}

/** Sets a new password and signs the user out everywhere. Throws `NOT_FOUND` when nobody has the address. */
export async function resetPassword(
  state: State,
  input: { email: string; password: string },
  also?: (trx: StateTransaction, whose: Pick<User, 'id' | 'email' | 'name'>) => Promise<unknown>,
): Promise<void> {
  const { email, password } = checked(newPassword, input);
  const passwordHash = await hashNewPassword(state, password, { email, names: [] });
  await state.transaction(async (trx) => {
    const userId = await userIdOf(trx, email);
    await setPasswordHash(trx, userId, passwordHash);
    await trx.deleteFrom('session').where('userId', '=', userId).execute();
    await also?.(trx, { id: userId, email, name: '' });
  });
}

/** Links that set a password are of no use from now on. Sessions are for the caller to end. */
export async function setPasswordHash(trx: StateTransaction, userId: string, passwordHash: string): Promise<void> {
  const now = new Date();
  const updated = await trx
    .updateTable('account')
    .set({ password: passwordHash, updatedAt: now })
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .returning('id')
    .executeTakeFirst();
  if (!updated) {
    await trx
      .insertInto('account')
      .values({
        id: newId(),
        accountId: userId,
        providerId: 'credential',
        userId,
        password: passwordHash,
        createdAt: now,
        updatedAt: now,
      })
      .execute();
  }
  await trx.deleteFrom('account_link').where('user_id', '=', userId).where('kind', '=', 'reset').execute();
}

/** Undefined for who signs in without one. */
export async function passwordHashOf(state: State, userId: string): Promise<string | undefined> {
  const row = await state.db
    .selectFrom('account')
    .select('password')
    .where('userId', '=', userId)
    .where('providerId', '=', 'credential')
    .executeTakeFirst();
  return row?.password ?? undefined;
}
