/**
 * The plugin for passkeys as Culprit uses it: the person is always verified, by finger, face or PIN. It is in an instance
 * of its own on the same tables, loaded when somebody uses a passkey: what reads certificates of security keys is a
 * megabyte, which no idle server should hold.
 */
import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import type { State } from '../../../ports/state/state.ts';
import { type AuthOptions, authOptions, openAuth } from '../auth.ts';

const demandVerified = (isVerified: boolean | undefined): void => {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'NOT_VERIFIED' });
};

const passkeys = ({ state, url }: { readonly state: State; readonly url: string }) =>
  passkey({
    rpID: new URL(url).hostname,
    rpName: 'Culprit',
    // The one that is configured: what a request says of its own origin proves nothing.
    origin: new URL(url).origin,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    registration: {
      async afterVerification({ verification }) {
        demandVerified(verification.registrationInfo?.userVerified);
      },
    },
    authentication: {
      async afterVerification({ verification: { authenticationInfo } }) {
        demandVerified(authenticationInfo.userVerified);
        await state.db
          .updateTable('passkey')
          .set({ lastUsedAt: new Date() })
          .where('credentialID', '=', authenticationInfo.credentialID)
          .execute();
      },
    },
    advanced: { webAuthnChallengeCookie: 'passkey' },
  });

export async function createPasskeyAuth(settings: AuthOptions) {
  const options = authOptions(settings);
  return openAuth({ ...options, plugins: [...options.plugins, passkeys(settings)] });
}

export type PasskeyAuth = Awaited<ReturnType<typeof createPasskeyAuth>>;
