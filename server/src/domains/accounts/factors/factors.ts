/** What who is signed in does with their authenticator app. Wrong codes are counted and told as wrong passwords are. */
import { symmetricDecrypt, symmetricEncrypt } from 'better-auth/crypto';
import { CodedError } from '../../../base/errors.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Source } from '../../audit/index.ts';
import type { Auth } from '../auth.ts';
import type { Identity } from '../identity.ts';
import { endSessions } from '../own/sessions.ts';
import type { SignInLimits } from '../sign-in-limits.ts';
import type { Signings } from '../signings.ts';
import { type Also, passwordHashOf } from '../users.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  markShown,
  removeTwoFactor,
  renewRecoveryCodes,
  type Sealer,
  takeCode,
  twoFactorOf,
  type TwoFactorState,
} from './two-factor.ts';

export interface CodeOf {
  readonly identity: Identity;
  /** As it was typed: of the app, or for recovery. */
  readonly code: string;
  readonly source: Source;
}

/** All that take a code throw `CODE_WRONG`, `SIGN_IN_LIMITED`. */
export interface Factors {
  stateOf(userId: string): Promise<TwoFactorState>;
  /**
   * Asks who is signed in for their password again; who has none must have signed in just now.
   * Throws `PASSWORD_WRONG`, `SIGN_IN_AGAIN`, `SIGN_IN_LIMITED`.
   */
  askAgain(identity: Identity, password: string | undefined, source: Source): Promise<void>;
  begin(identity: Identity, issuer: string): ReturnType<typeof beginTwoFactor>;
  /** Throws `SECOND_FACTOR_ON`, `SECOND_FACTOR_OFF`. */
  confirm(
    asked: CodeOf,
    also?: Also<number>,
  ): Promise<{ readonly recoveryCodes: readonly string[]; readonly endedSessions: number }>;
  /** From here on the session has shown a second factor. */
  show(asked: CodeOf): Promise<void>;
  renewRecoveryCodes(asked: CodeOf, also?: Also<void>): Promise<readonly string[]>;
  /** Returns how many other sessions ended. */
  turnOff(asked: CodeOf, also?: Also<number>): Promise<number>;
}

export interface FactorsOptions {
  readonly state: State;
  readonly sealer: Sealer;
  readonly limits: SignInLimits;
  readonly signings: Signings | undefined;
  readonly checkPassword: (identity: Identity, password: string, source: Source) => Promise<void>;
}

/** Who has no password has signed in within this. */
const recentMs = 10 * 60_000;

export const sealerOf = (auth: () => Promise<Auth>): Sealer => {
  const key = async () => (await (await auth()).$context).secretConfig;
  return {
    seal: async (data) => symmetricEncrypt({ key: await key(), data }),
    open: async (data) => symmetricDecrypt({ key: await key(), data }),
  };
};

const sessionOf = ({ sessionId }: Identity): string => {
  if (sessionId === undefined) throw new CodedError('SESSION_REQUIRED');
  return sessionId;
};

export function createFactors({ state, sealer, limits, signings, checkPassword }: FactorsOptions): Factors {
  const place = { state, sealer };

  /** Undefined is a wrong code. */
  const counted = async <T>({ identity, source }: CodeOf, work: () => Promise<T | undefined>): Promise<T> => {
    const { user, sessionId } = identity;
    const actor = { type: 'user', ...user, session: sessionId } as const;
    const attempt = {
      email: `code ${user.email}`,
      address: source.address,
      device: `session ${sessionOf(identity)}`,
    };
    const takeBack = await limits.begin(attempt).catch((error: unknown) => {
      signings?.failed(user.email, 'limited', source, actor);
      throw error;
    });
    let isWrong = false;
    try {
      const done = await work();
      isWrong = done === undefined;
      if (done !== undefined) return done;
    } finally {
      if (!isWrong) takeBack();
    }
    signings?.failed(user.email, 'code', source, actor);
    throw new CodedError('CODE_WRONG');
  };

  const take = async (asked: CodeOf): Promise<void> => {
    const { userId } = asked.identity;
    if (!(await twoFactorOf(place, userId)).isOn) throw new CodedError('SECOND_FACTOR_OFF');
    await counted(asked, async () => (await takeCode(place, userId, asked.code, Date.now())) || undefined);
  };

  return {
    stateOf: (userId) => twoFactorOf(place, userId),
    async askAgain(identity, password, source) {
      const id = sessionOf(identity);
      if ((await passwordHashOf(state, identity.userId)) !== undefined) {
        return checkPassword(identity, password ?? '', source);
      }
      const session = await state.db.selectFrom('session').select('createdAt').where('id', '=', id).executeTakeFirst();
      if (session && Date.now() - new Date(session.createdAt).getTime() < recentMs) return;
      throw new CodedError('SIGN_IN_AGAIN');
    },
    begin: ({ user }, issuer) => beginTwoFactor(place, user, issuer),
    confirm: (asked, also) => {
      const { identity, code } = asked;
      const whose = { userId: identity.userId, sessionId: sessionOf(identity), code: code.replaceAll(/\s/g, '') };
      return counted(asked, () => confirmTwoFactor(place, whose, Date.now(), also));
    },
    async show(asked) {
      await take(asked);
      await markShown(state.db, sessionOf(asked.identity));
    },
    async renewRecoveryCodes(asked, also) {
      await take(asked);
      return renewRecoveryCodes(place, asked.identity.userId, also);
    },
    async turnOff(asked, also) {
      await take(asked);
      const { userId } = asked.identity;
      return state.transaction(async (trx) => {
        await removeTwoFactor(trx, userId);
        const endedSessions = await endSessions(trx, { userId, keptSessionId: sessionOf(asked.identity) });
        // What it has shown is no factor any more; a passkey goes on being one.
        await trx
          .updateTable('session')
          .set({ secondFactor: false })
          .where('userId', '=', userId)
          .where((eb) => eb.or([eb('way', 'is', null), eb('way', '!=', 'passkey')]))
          .execute();
        await also?.(trx, endedSessions);
        return endedSessions;
      });
    },
  };
}
