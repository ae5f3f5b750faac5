/** Second factors of the reader: an authenticator app with recovery codes, and passkeys. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type TwoFactor = Schemas['TwoFactor'];
export type Passkey = Schemas['Passkey'];
export type Passkeys = Schemas['Passkeys'];
export type SignInPolicy = Schemas['SignInPolicy'];

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => api.get('/api/0/account/two-factor/', { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => api.get('/api/0/account/passkeys/', { signal }),
});

/** Undefined for who has no password. */
type Again = { readonly password?: string | undefined };
const again = ({ password }: Again) => (password === undefined ? {} : { password });

export const beginTwoFactor = (asked: Again): Promise<Schemas['TwoFactorSecret']> =>
  api.post('/api/0/account/two-factor/', { body: again(asked) });

export const confirmTwoFactor = (code: string): Promise<Schemas['TwoFactorConfirmed']> =>
  api.post('/api/0/account/two-factor/confirm/', { body: { code } });

export const showFactor = (code: string): Promise<unknown> =>
  api.post('/api/0/account/two-factor/verify/', { body: { code } });

export const renewRecoveryCodes = (code: string): Promise<Schemas['RecoveryCodes']> =>
  api.post('/api/0/account/two-factor/recovery-codes/', { body: { code } });

export const endTwoFactor = (code: string): Promise<Schemas['TwoFactorOff']> =>
  api.post('/api/0/account/two-factor/off/', { body: { code } });

export const beginPasskey = (asked: Again): Promise<Schemas['PasskeyOptions']> =>
  api.post('/api/0/account/passkeys/options/', { body: again(asked) });

export const addPasskey = (body: Schemas['PasskeyCreated']): Promise<Schemas['PasskeyAdded']> =>
  api.post('/api/0/account/passkeys/', { body });

export const renamePasskey = (id: string, name: string): Promise<unknown> =>
  api.put('/api/0/account/passkeys/{id}/', { params: { path: { id } }, body: { name } });

export const removePasskey = (id: string, asked: Again): Promise<unknown> =>
  api.post('/api/0/account/passkeys/{id}/delete/', { params: { path: { id } }, body: again(asked) });

export const removePassword = (asked: Again): Promise<unknown> =>
  api.post('/api/0/account/password/delete/', { body: again(asked) });

export const signInPolicyQuery = (org: string) =>
  queryOptions({
    queryKey: ['sign-in-policy', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/sign-in-policy/', { params: { path: { org } }, signal }),
  });

export const saveSignInPolicy = (org: string, requireSecondFactor: boolean): Promise<SignInPolicy> =>
  api.put('/api/0/organizations/{org}/sign-in-policy/', {
    params: { path: { org } },
    body: { requireSecondFactor },
  });
