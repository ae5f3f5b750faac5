/**
 * The way of programs without a browser (RFC 8628): they show a short code, the person types it in wherever they are
 * signed in, and meanwhile the program asks again and again.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import type { State } from '../../ports/state/state.ts';
import { within } from '../../ports/state/within.ts';
import type { Scope } from '../accounts/index.ts';
import { findClient } from './clients.ts';
import { grantToken, hashOf, type TokenPair } from './grants.ts';
import { readScopes } from './scopes.ts';

/** Without vowels, so that no words come out (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const half = 4;
const deviceForMs = 600_000;
export const pollEveryMs = 5_000;
/** That wait to be typed in. */
const mostPending = 10_000;

export interface StartedDevice {
  readonly deviceCode: string;
  /** `BCDF-GHJK`. */
  readonly userCode: string;
  readonly expiresInMs: number;
}

/** Throws `OAUTH_CLIENT_UNKNOWN`, `OAUTH_DEVICES_FULL`. */
export async function startDevice(
  state: State,
  { clientId, scope }: { readonly clientId: string; readonly scope?: string | undefined },
  now: number,
): Promise<StartedDevice> {
  const { db } = state;
  const client = await findClient(state, clientId);
  if (!client) throw new CodedError('OAUTH_CLIENT_UNKNOWN');
  await db.deleteFrom('oauth_device').where('expires_at', '<', now).execute();
  const { n } = await db
    .selectFrom('oauth_device')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow();
  if (Number(n) >= mostPending) throw new CodedError('OAUTH_DEVICES_FULL');
  const deviceCode = randomBytes(32).toString('base64url');
  const userCode = `${word()}-${word()}`;
  await db
    .insertInto('oauth_device')
    .values({
      device_hash: hashOf(deviceCode),
      user_code_hash: hashOf(userCode),
      client_id: clientId,
      client_name: client.name,
      asked: JSON.stringify(readScopes(scope)),
      state: 'pending',
      expires_at: now + deviceForMs,
    })
    .execute();
  return { deviceCode, userCode, expiresInMs: deviceForMs };
}

const word = (): string => Array.from({ length: half }, () => letters[randomInt(letters.length)]).join('');

/** As people type it: small letters, no dash, spaces. Undefined for what is no code. */
export function readUserCode(typed: string): string | undefined {
  const plain = typed
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[\s\p{Pd}]/gu, '');
  if (plain.length !== 2 * half || [...plain].some((char) => !letters.includes(char))) return undefined;
  return `${plain.slice(0, half)}-${plain.slice(half)}`;
}

export interface WaitingDevice {
  readonly clientName: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number;
}

/** Throws `OAUTH_DEVICE_UNKNOWN`, also for one that was decided. */
export async function findDevice({ db }: State, typed: string, now: number): Promise<WaitingDevice> {
  const code = readUserCode(typed);
  const row =
    code === undefined
      ? undefined
      : await db
          .selectFrom('oauth_device')
          .select(['client_name', 'asked', 'expires_at'])
          .where('user_code_hash', '=', hashOf(code))
          .where('state', '=', 'pending')
          .where('expires_at', '>', now)
          .executeTakeFirst();
  if (!row) throw new CodedError('OAUTH_DEVICE_UNKNOWN');
  return {
    clientName: row.client_name,
    scopes: JSON.parse(row.asked) as Scope[],
    expiresAt: Number(row.expires_at),
  };
}

export interface DeviceDecision {
  readonly userCode: string;
  readonly accept: boolean;
  readonly userId: string;
  readonly organizationId: string;
  readonly scopes: readonly Scope[];
}

/** Throws `OAUTH_DEVICE_UNKNOWN`, also for the later one of two at once. */
export async function decideDevice(
  { db }: State,
  { userCode, accept, userId, organizationId, scopes }: DeviceDecision,
  now: number,
): Promise<{ readonly clientId: string; readonly clientName: string }> {
  const decided = await db
    .updateTable('oauth_device')
    .set({
      state: accept ? 'granted' : 'denied',
      user_id: userId,
      organization_id: organizationId,
      scopes: JSON.stringify(scopes),
    })
    .where('user_code_hash', '=', hashOf(readUserCode(userCode) ?? ''))
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
    .returning(['client_id as clientId', 'client_name as clientName'])
    .executeTakeFirst();
  if (!decided) throw new CodedError('OAUTH_DEVICE_UNKNOWN');
  return decided;
}

/** As RFC 8628 names them. */
export type DeviceAnswer = TokenPair | 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token';

/** What a program that asks again is told. */
export async function pollDevice(
  state: State,
  { deviceCode, clientId }: { readonly deviceCode: string; readonly clientId: string },
  url: string,
  now: number,
): Promise<DeviceAnswer> {
  const hash = hashOf(deviceCode);
  return state.transaction(async (trx) => {
    const row = await trx.selectFrom('oauth_device').selectAll().where('device_hash', '=', hash).executeTakeFirst();
    if (!row || row.client_id !== clientId || Number(row.expires_at) <= now) return 'expired_token';
    if (row.state === 'pending') {
      // It may come a little early, not much.
      const tooSoon = now - Number(row.polled_at) < pollEveryMs * 0.8;
      await trx.updateTable('oauth_device').set({ polled_at: now }).where('device_hash', '=', hash).execute();
      return tooSoon ? 'slow_down' : 'authorization_pending';
    }
    await trx.deleteFrom('oauth_device').where('device_hash', '=', hash).execute();
    const { user_id: userId, organization_id: organizationId } = row;
    if (row.state === 'denied' || userId === null || organizationId === null) return 'access_denied';
    const granted = {
      clientId,
      clientName: row.client_name,
      userId,
      organizationId,
      scopes: JSON.parse(row.scopes) as Scope[],
    };
    return grantToken(within(state, trx), granted, url, now);
  });
}
