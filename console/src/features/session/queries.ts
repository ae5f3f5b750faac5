/** First set-up, signing in and out. */
import { queryOptions } from '@tanstack/react-query';
import { api, post, type Schemas } from '../../api/client.ts';

export type Self = Schemas['Self'];
export type Organization = Schemas['Organization'];
export type ClosedOrganization = Schemas['ClosedOrganization'];
export type SetupRequest = Schemas['SetupRequest'];
export type SetupResult = Schemas['SetupResult'];

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get('/api/0/setup/', { signal }),
});

export function setUp(body: SetupRequest): Promise<SetupResult> {
  return api.post('/api/0/setup/', { body });
}

/** Whether a code must follow. */
export async function signIn(email: string, password: string): Promise<{ readonly wantsCode: boolean }> {
  const answer = await post<{ twoFactorRedirect?: boolean }>('/api/auth/sign-in/email', { email, password });
  return { wantsCode: answer.twoFactorRedirect === true };
}

/** Of an authenticator app, or a recovery code. */
export async function enterCode(code: string): Promise<void> {
  await post('/api/auth/two-factor/verify', { code });
}

export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {});
}
