/** Passkeys of somebody: a key in a device or a password manager, which signs in by itself and counts as two factors. */
import { isIP } from 'node:net';
import { CodedError } from '../../../base/errors.ts';
import { things } from '../../../base/texts/things.ts';
import type { State } from '../../../ports/state/state.ts';
import type { PasskeyAuth } from './passkey-plugin.ts';
import { markShown } from './two-factor.ts';

export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** ms since the epoch, as the other. */
  readonly createdAt: number | undefined;
  readonly lastUsedAt: number | undefined;
  /** Whether it is in several devices, or kept by a password manager. */
  readonly isSynced: boolean;
}

const maxPasskeys = 25;

/**
 * Whether browsers make passkeys for an address: they want a host name, and an encrypted connection unless it stays on
 * the machine.
 */
export function takesPasskeys(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  if (isIP(hostname.replaceAll(/[[\]]/g, ''))) return false;
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost');
}

/** Throws `PASSKEYS_UNAVAILABLE`. */
export function checkTakesPasskeys(url: string): void {
  if (!takesPasskeys(url)) throw new CodedError('PASSKEYS_UNAVAILABLE', [url]);
}

const timeOf = (value: Date | string | null): number | undefined =>
  value === null ? undefined : new Date(value).getTime();

/** The newest first. */
export async function listPasskeys({ db }: State, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'createdAt', 'lastUsedAt', 'backedUp'])
    .where('userId', '=', userId)
    .execute();
  return rows
    .map((row) => ({
      id: row.id,
      name: row.name ?? '',
      createdAt: timeOf(row.createdAt),
      lastUsedAt: timeOf(row.lastUsedAt),
      isSynced: Boolean(row.backedUp),
    }))
    .toSorted((a, b) => (b.createdAt ?? 0) - (a.createdAt ?? 0));
}

export interface Passkeys {
  /** What the browser is asked to make, and the `Set-Cookie` that belongs to it. Throws `PASSKEYS_FULL`. */
  options(userId: string, headers: Headers): Promise<{ readonly options: object; readonly cookies: readonly string[] }>;
  /** Keeps what the browser has made; the session has shown a second factor. Throws `PASSKEY_REFUSED`. */
  add(
    made: { readonly name: string; readonly response: unknown; readonly sessionId: string },
    headers: Headers,
  ): Promise<{ readonly id: string }>;
}

export interface PasskeysOptions {
  readonly state: State;
  readonly auth: () => Promise<PasskeyAuth>;
  readonly getUrl: () => string;
}

export function createPasskeys({ state, auth, getUrl }: PasskeysOptions): Passkeys {
  return {
    async options(userId, headers) {
      checkTakesPasskeys(getUrl());
      const own = await listPasskeys(state, userId);
      if (own.length >= maxPasskeys) throw new CodedError('PASSKEYS_FULL', [maxPasskeys]);
      const { api } = await auth();
      const answer = await api.generatePasskeyRegistrationOptions({ headers, query: {}, returnHeaders: true });
      return { options: answer.response, cookies: answer.headers.getSetCookie() };
    },
    async add({ name, response, sessionId }, headers) {
      checkTakesPasskeys(getUrl());
      const { api } = await auth();
      try {
        const { id } = await api.verifyPasskeyRegistration({ headers, body: { response, name } });
        await markShown(state.db, sessionId);
        return { id };
      } catch (error) {
        if (error instanceof Error && 'statusCode' in error)
          throw new CodedError('PASSKEY_REFUSED', [], { cause: error });
        throw error;
      }
    },
  };
}

/** Throws `NOT_FOUND` where the user has none of that id. */
export async function renamePasskey(
  { db }: State,
  { userId, id, name }: { readonly userId: string; readonly id: string; readonly name: string },
): Promise<void> {
  const renamed = await db
    .updateTable('passkey')
    .set({ name })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  if (!renamed) throw new CodedError('NOT_FOUND', [things.passkey(id)]);
}

/** Inside a transaction. Returns its name. Throws `NOT_FOUND`, and `LAST_WAY_IN` where nothing else would let the user in. */
export async function removePasskey({ db }: State, userId: string, id: string): Promise<string> {
  const removed = await db
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .returning('name')
    .executeTakeFirst();
  if (!removed) throw new CodedError('NOT_FOUND', [things.passkey(id)]);
  await checkWayIn(db, userId);
  await forgetShown(db, userId);
  return removed.name ?? '';
}

/** Without the last passkey, sessions that it opened have shown nothing; without an app beside it, none has. */
async function forgetShown(db: State['db'], userId: string): Promise<void> {
  const left = await db.selectFrom('passkey').select('id').where('userId', '=', userId).limit(1).executeTakeFirst();
  if (left) return;
  const app = await db.selectFrom('twoFactor').select('verified').where('userId', '=', userId).executeTakeFirst();
  let sessions = db.updateTable('session').set({ secondFactor: false }).where('userId', '=', userId);
  if (app?.verified) sessions = sessions.where('way', '=', 'passkey');
  await sessions.execute();
}

/** Inside a transaction. From here on only passkeys and providers let the user in. Throws `LAST_WAY_IN`. */
export async function removePassword({ db }: State, userId: string): Promise<void> {
  await db.deleteFrom('account').where('userId', '=', userId).where('providerId', '=', 'credential').execute();
  await checkWayIn(db, userId);
}

/** Of the two removals at once, the later waits for the row of the user and finds what is left. */
async function checkWayIn(db: State['db'], userId: string): Promise<void> {
  await db.updateTable('user').set({ updatedAt: new Date() }).where('id', '=', userId).execute();
  for (const table of ['account', 'passkey'] as const) {
    const left = await db.selectFrom(table).select('id').where('userId', '=', userId).limit(1).executeTakeFirst();
    if (left) return;
  }
  throw new CodedError('LAST_WAY_IN');
}
