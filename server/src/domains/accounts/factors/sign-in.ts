/**
 * The second step of signing in: a code after the password, or a passkey instead of both. What better-auth answers is
 * not handed on but for its cookies, since the token of the session is among it.
 */
import { z } from 'zod';
import { CodedError } from '../../../base/errors.ts';
import { invalid } from '../../../base/texts/validation.ts';
import type { State } from '../../../ports/state/state.ts';
import type { Source } from '../../audit/index.ts';
import { checked } from '../../projects/index.ts';
import type { Auth } from '../auth.ts';
import type { Devices } from '../devices.ts';
import { readJson } from '../sign-in-body.ts';
import { createAddressLimit, type SignInLimits } from '../sign-in-limits.ts';
import type { Signings } from '../signings.ts';
import type { Tries } from '../tries.ts';
import type { PasskeyAuth } from './passkey-plugin.ts';
import { checkTakesPasskeys } from './passkeys.ts';
import { type Recognised, recognise, type Sealer, takeStep } from './two-factor.ts';

const codeBody = z.object({ code: z.string().max(64, invalid.atMost(64)) });

export interface FactorSignIn {
  /** Throws `CODE_WRONG`, `SIGN_IN_EXPIRED`, `SIGN_IN_LIMITED`. */
  answerCode(request: Request, clientAddress?: string): Promise<Response>;
  /** What the browser is to sign. Throws `PASSKEYS_UNAVAILABLE`, `SIGN_IN_LIMITED`. */
  answerPasskeyOptions(request: Request, clientAddress?: string): Promise<Response>;
  /** Throws `PASSKEY_REFUSED`, `SIGN_IN_LIMITED`. */
  answerPasskey(request: Request, clientAddress?: string): Promise<Response>;
}

export interface FactorSignInOptions {
  readonly state: State;
  readonly auth: () => Promise<Auth>;
  readonly passkeyAuth: () => Promise<PasskeyAuth>;
  readonly sealer: Sealer;
  readonly tries: Tries;
  readonly limits: SignInLimits;
  readonly signings: Signings | undefined;
  readonly devices: Devices;
  readonly deviceCookie: (email: string) => string;
  readonly getUrl: () => string;
}

export const sourceOf = (request: Request, address: string | undefined): Source => ({
  address,
  agent: request.headers.get('user-agent') ?? undefined,
});

/** The cookies of an answer, and nothing else of it. */
export function cookiesOf(answer: Response, body: unknown = {}): Response {
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie);
  return new Response(JSON.stringify(body), { status: 200, headers });
}

/** Without the session that the browser may have: who signs in becomes who they say now. */
export function withoutSession(given: Headers): Headers {
  const headers = new Headers(given);
  const cookies = (given.get('cookie') ?? '').split(/;\s*/).filter((one) => !/session_(?:token|data)=/.test(one));
  headers.set('cookie', cookies.join('; '));
  return headers;
}

/** A page asks when it is opened, and each is kept for minutes. */
const ofChallenges = { free: 60, firstPauseMs: 60_000, longestPauseMs: 60_000, forgottenAfterMs: 60_000 };

const passkeyBody = z.object({
  response: z.looseObject({ id: z.string().max(2_000), response: z.looseObject({}) }),
});

/** What nobody's code is. */
const wrongCode = 'wrong';

export function createFactorSignIn(options: FactorSignInOptions): FactorSignIn {
  const { state, auth, passkeyAuth, sealer, tries, limits, signings, devices, deviceCookie, getUrl } = options;
  const limitWrongPasskeys = createAddressLimit({ tries, kind: 'passkey' });
  const limitChallenges = createAddressLimit({ tries, kind: 'challenge', rules: ofChallenges });

  const challenged = async (headers: Headers): Promise<{ readonly id: string; readonly email: string }> => {
    const id = await (await auth()).api.challengedUser({ headers });
    const user =
      id === null
        ? undefined
        : await state.db.selectFrom('user').select(['id', 'email']).where('id', '=', id).executeTakeFirst();
    if (!user) throw new CodedError('SIGN_IN_EXPIRED');
    return user;
  };

  /** What better-auth is asked: it counts wrong codes by itself, too, for as long as the state store lasts. */
  const asked = (found: Recognised | undefined, code: string): readonly [path: string, code: string] =>
    found?.kind === 'recovery'
      ? ['verify-backup-code', found.hash]
      : ['verify-totp', found ? code.replaceAll(/\s/g, '') : wrongCode];

  return {
    async answerCode(request, clientAddress) {
      const { code } = checked(codeBody, await readJson(request));
      const headers = withoutSession(request.headers);
      const { id, email } = await challenged(headers);
      const source = sourceOf(request, clientAddress);
      const device = devices.read(email, request.headers.get('cookie'));
      const attempt = { email: `code ${email}`, address: clientAddress, device };
      const takeBack = await limits.begin(attempt).catch((error: unknown) => {
        signings?.failed(email, 'limited', source);
        throw error;
      });
      let isWrong = false;
      try {
        const found = await recognise({ state, sealer }, id, code, Date.now());
        const isUsed = found?.kind === 'time' && !(await takeStep(state, id, found.step));
        const [path, passed] = asked(isUsed ? undefined : found, code);
        const url = new URL(`/api/auth/two-factor/${path}`, request.url);
        const { handler } = await auth();
        const answer = await handler(
          new Request(url, { method: 'POST', headers, body: JSON.stringify({ code: passed }) }),
        );
        if (answer.ok) {
          await signings?.succeeded(email, source, 'password');
          const own = cookiesOf(answer);
          if (device === undefined) own.headers.append('set-cookie', deviceCookie(email));
          return own;
        }
        isWrong = true;
        signings?.failed(email, 'code', source);
        throw await refusal(answer);
      } finally {
        if (!isWrong) takeBack();
      }
    },
    async answerPasskeyOptions(request, clientAddress) {
      checkTakesPasskeys(getUrl());
      await limitChallenges(clientAddress);
      const url = new URL('/api/auth/passkey/generate-authenticate-options', request.url);
      const answer = await (
        await passkeyAuth()
      ).handler(new Request(url, { headers: withoutSession(request.headers) }));
      if (!answer.ok) throw new CodedError('PASSKEY_REFUSED');
      const given = (await answer.json()) as object;
      return cookiesOf(answer, { ...given, userVerification: 'required' });
    },
    async answerPasskey(request, clientAddress) {
      checkTakesPasskeys(getUrl());
      const { response } = checked(passkeyBody, await readJson(request));
      const source = sourceOf(request, clientAddress);
      const { headers } = request;
      const url = new URL('/api/auth/passkey/verify-authentication', request.url);
      const { handler } = await passkeyAuth();
      const answer = await handler(new Request(url, { method: 'POST', headers, body: JSON.stringify({ response }) }));
      const owner = await state.db
        .selectFrom('passkey')
        .innerJoin('user', 'user.id', 'passkey.userId')
        .select('user.email')
        .where('credentialID', '=', response.id)
        .executeTakeFirst();
      if (!answer.ok || !owner) {
        signings?.failed(owner?.email ?? '', 'passkey', source);
        await limitWrongPasskeys(clientAddress);
        throw new CodedError('PASSKEY_REFUSED');
      }
      await signings?.succeeded(owner.email, source, 'passkey');
      const own = cookiesOf(answer);
      if (devices.read(owner.email, request.headers.get('cookie')) === undefined) {
        own.headers.append('set-cookie', deviceCookie(owner.email));
      }
      return own;
    },
  };
}

/** For as long as better-auth locks an account out after too many wrong codes. */
const lockedSeconds = 900;

async function refusal(answer: Response): Promise<CodedError> {
  const body = (await answer.json().catch(() => ({}))) as { readonly code?: unknown };
  if (body.code === 'ACCOUNT_TEMPORARILY_LOCKED') {
    return new CodedError('SIGN_IN_LIMITED', [lockedSeconds], { retryAfter: lockedSeconds });
  }
  const isOver = body.code === 'INVALID_TWO_FACTOR_COOKIE' || body.code === 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE';
  return new CodedError(isOver ? 'SIGN_IN_EXPIRED' : 'CODE_WRONG');
}
