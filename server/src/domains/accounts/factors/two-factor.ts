/**
 * The authenticator app of somebody, with recovery codes: set up, used, turned off. One that was set up counts from the
 * first code of it on. A code works once: of an app none at or before the last that was taken, of recovery codes each one.
 */
import { CodedError } from '../../../base/errors.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { endSessions } from '../own/sessions.ts';
import { type Also, newId, type User } from '../users.ts';
import { hashAmong, newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
import { appAddress, base32, isTimeCode, stepOf } from './time-codes.ts';

/** How better-auth encrypts what it keeps. */
export interface Sealer {
  seal(text: string): Promise<string>;
  open(sealed: string): Promise<string>;
}

interface Place {
  readonly state: State;
  readonly sealer: Sealer;
}

export interface TwoFactorState {
  readonly isOn: boolean;
  /** ms since the epoch. */
  readonly since: number | undefined;
  readonly recoveryCodesLeft: number;
}

const rowOf = (state: State, userId: string) =>
  state.db.selectFrom('twoFactor').selectAll().where('userId', '=', userId).executeTakeFirst();

const hashesIn = async (sealer: Sealer, sealed: string): Promise<string[]> =>
  sealed === '' ? [] : (JSON.parse(await sealer.open(sealed)) as string[]);

export async function twoFactorOf({ state, sealer }: Place, userId: string): Promise<TwoFactorState> {
  const row = await rowOf(state, userId);
  if (!row?.verified) return { isOn: false, since: undefined, recoveryCodesLeft: 0 };
  const hashes = await hashesIn(sealer, row.backupCodes);
  const since = row.createdAt === null ? undefined : new Date(row.createdAt).getTime();
  return { isOn: true, since, recoveryCodesLeft: hashes.length };
}

/** A new secret, which takes the place of one that was never confirmed. Throws `SECOND_FACTOR_ON`. */
export async function beginTwoFactor(
  { state, sealer }: Place,
  { id: userId, email }: User,
  issuer: string,
): Promise<{ readonly secret: string; readonly address: string }> {
  const secret = newId();
  const sealed = await sealer.seal(secret);
  await state.transaction(async (trx) => {
    const former = await trx.selectFrom('twoFactor').select('verified').where('userId', '=', userId).executeTakeFirst();
    if (former?.verified) throw new CodedError('SECOND_FACTOR_ON');
    await trx.deleteFrom('twoFactor').where('userId', '=', userId).execute();
    await trx
      .insertInto('twoFactor')
      .values({
        id: newId(),
        userId,
        secret: sealed,
        backupCodes: '',
        verified: false,
        failedVerificationCount: 0,
        lockedUntil: null,
        lastStep: null,
        createdAt: null,
      })
      .execute();
  });
  return { secret: base32(secret), address: appAddress({ secret, email, issuer }) };
}

/**
 * Turns it on by a first code; returns the recovery codes, or undefined where the code is wrong. The session has shown a
 * second factor from here on, and the other ones end. Throws `SECOND_FACTOR_ON`, `SECOND_FACTOR_OFF`.
 */
export async function confirmTwoFactor(
  { state, sealer }: Place,
  { userId, sessionId, code }: { readonly userId: string; readonly sessionId: string; readonly code: string },
  now: number,
  also?: Also<number>,
): Promise<{ readonly recoveryCodes: readonly string[]; readonly endedSessions: number } | undefined> {
  const row = await rowOf(state, userId);
  if (!row) throw new CodedError('SECOND_FACTOR_OFF');
  if (row.verified) throw new CodedError('SECOND_FACTOR_ON');
  const step = stepOf(await sealer.open(row.secret), code, now);
  if (step === undefined) return undefined;
  const { codes, hashes } = await newRecoveryCodes();
  const backupCodes = await sealer.seal(JSON.stringify(hashes));
  return state.transaction(async (trx) => {
    const confirmed = await trx
      .updateTable('twoFactor')
      .set({ verified: true, backupCodes, lastStep: step, createdAt: new Date(now) })
      .where('id', '=', row.id)
      .where('verified', '=', false)
      .returning('id')
      .executeTakeFirst();
    // Another one took its place meanwhile.
    if (!confirmed) throw new CodedError('SECOND_FACTOR_ON');
    await trx.updateTable('user').set({ twoFactorEnabled: true }).where('id', '=', userId).execute();
    await markShown(trx, sessionId);
    const endedSessions = await endSessions(trx, { userId, keptSessionId: sessionId });
    await also?.(trx, endedSessions);
    return { recoveryCodes: codes, endedSessions };
  });
}

/** The session has shown a second factor. */
export async function markShown(db: State['db'] | StateTransaction, sessionId: string): Promise<void> {
  await db.updateTable('session').set({ secondFactor: true }).where('id', '=', sessionId).execute();
}

/** A code that is right, and was not taken yet. */
export type Recognised =
  | { readonly kind: 'time'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: string; readonly sealed: string; readonly rest: readonly string[] };

/** Takes nothing. Undefined for a wrong one, and where there is no second factor. */
export async function recognise(
  { state, sealer }: Place,
  userId: string,
  typed: string,
  now: number,
): Promise<Recognised | undefined> {
  const row = await rowOf(state, userId);
  if (!row?.verified) return undefined;
  const code = typed.replaceAll(/\s/g, '');
  if (isTimeCode(code)) {
    const step = stepOf(await sealer.open(row.secret), code, now);
    return step === undefined ? undefined : { kind: 'time', step };
  }
  const recoveryCode = readRecoveryCode(typed);
  if (recoveryCode === undefined) return undefined;
  const hashes = await hashesIn(sealer, row.backupCodes);
  const hash = await hashAmong(hashes, recoveryCode);
  if (hash === undefined) return undefined;
  return { kind: 'recovery', hash, sealed: row.backupCodes, rest: hashes.filter((one) => one !== hash) };
}

/** False for a code that was taken before, also by the later one of two at once. */
export async function takeStep(state: State, userId: string, step: number): Promise<boolean> {
  const taken = await state.db
    .updateTable('twoFactor')
    .set({ lastStep: step })
    .where('userId', '=', userId)
    .where((eb) => eb.or([eb('lastStep', 'is', null), eb('lastStep', '<', step)]))
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** True where the code was right and is taken by this. */
export async function takeCode(place: Place, userId: string, typed: string, now: number): Promise<boolean> {
  const found = await recognise(place, userId, typed, now);
  if (!found) return false;
  if (found.kind === 'time') return takeStep(place.state, userId, found.step);
  const taken = await place.state.db
    .updateTable('twoFactor')
    .set({ backupCodes: await place.sealer.seal(JSON.stringify(found.rest)) })
    .where('userId', '=', userId)
    .where('backupCodes', '=', found.sealed)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** In the place of those that there were. Throws `SECOND_FACTOR_OFF`. */
export async function renewRecoveryCodes(
  { state, sealer }: Place,
  userId: string,
  also?: Also<void>,
): Promise<readonly string[]> {
  const { codes, hashes } = await newRecoveryCodes();
  const backupCodes = await sealer.seal(JSON.stringify(hashes));
  await state.transaction(async (trx) => {
    const renewed = await trx
      .updateTable('twoFactor')
      .set({ backupCodes })
      .where('userId', '=', userId)
      .where('verified', '=', true)
      .returning('id')
      .executeTakeFirst();
    if (!renewed) throw new CodedError('SECOND_FACTOR_OFF');
    await also?.(trx, undefined);
  });
  return codes;
}

/** False where it was off. */
export async function removeTwoFactor(trx: StateTransaction, userId: string): Promise<boolean> {
  const removed = await trx.deleteFrom('twoFactor').where('userId', '=', userId).returning('verified').execute();
  await trx.updateTable('user').set({ twoFactorEnabled: false }).where('id', '=', userId).execute();
  return removed.some(({ verified }) => verified);
}

/** All second factors of somebody, passkeys among them. */
export async function removeFactors(trx: StateTransaction, userId: string): Promise<void> {
  await removeTwoFactor(trx, userId);
  await trx.deleteFrom('passkey').where('userId', '=', userId).execute();
}
