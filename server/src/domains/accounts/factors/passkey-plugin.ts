/** The plugin for passkeys as Culprit uses it: the person is always verified, by finger, face or PIN. */
import { passkey } from '@better-auth/passkey';
import { APIError } from 'better-auth/api';
import type { State } from '../../../ports/state/state.ts';

const demandVerified = (isVerified: boolean | undefined): void => {
  if (!isVerified) throw new APIError('UNAUTHORIZED', { code: 'NOT_VERIFIED' });
};

export const passkeys = ({ state, url }: { readonly state: State; readonly url: string }) =>
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
