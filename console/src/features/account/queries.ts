import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Account = Schemas['Account'];
export type AccountSession = Schemas['Session'];
export type SessionPolicy = Schemas['SessionPolicy'];

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => api.get('/api/0/account/', { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) => api.get('/api/0/account/sessions/', { signal }),
});

export const updateAccount = (body: Schemas['AccountUpdate']): Promise<Account> => api.put('/api/0/account/', { body });

export const changePassword = (body: Schemas['PasswordChange']): Promise<Schemas['PasswordChanged']> =>
  api.post('/api/0/account/password/', { body });

export const requestEmail = (body: Schemas['EmailRequest']): Promise<Account> =>
  api.post('/api/0/account/email/', { body });

export const cancelEmail = (): Promise<unknown> => api.delete('/api/0/account/email/', {});

export const endSession = (id: string): Promise<unknown> =>
  api.delete('/api/0/account/sessions/{id}/', { params: { path: { id } } });

export const endOtherSessions = (): Promise<Schemas['SessionsEnded']> => api.delete('/api/0/account/sessions/', {});

export const deleteAccount = (body: Schemas['AccountDeletion']): Promise<unknown> =>
  api.post('/api/0/account/delete/', { body });

export const sessionPolicyQuery = (org: string) =>
  queryOptions({
    queryKey: ['session-policy', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/session-policy/', { params: { path: { org } }, signal }),
  });

export const saveSessionPolicy = (org: string, body: SessionPolicy): Promise<SessionPolicy> =>
  api.put('/api/0/organizations/{org}/session-policy/', { params: { path: { org } }, body });

export const passwordResetQuery = queryOptions({
  queryKey: ['password-reset'],
  queryFn: ({ signal }) => api.get('/api/0/password-reset/', { signal }),
});

export const requestPasswordReset = (email: string): Promise<Schemas['PasswordResetRequested']> =>
  api.post('/api/0/password-reset/', { body: { email } });

export const resetPassword = (body: Schemas['PasswordReset']): Promise<Schemas['PasswordResetDone']> =>
  api.post('/api/0/password-reset/confirm/', { body });

export const recoverAccount = (body: Schemas['Recovery']): Promise<Schemas['Recovered']> =>
  api.post('/api/0/recovery/', { body });

export const confirmEmail = (token: string): Promise<Schemas['EmailConfirmed']> =>
  api.post('/api/0/email-confirmation/', { body: { token } });
