/** Who is signed in, first set-up, the organisation that is worked in. */
import { queryOptions } from '@tanstack/react-query';
import { api, post, type Schemas } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export type Self = Schemas['Self'];
export type Organization = Schemas['Organization'];
export type SetupRequest = Schemas['SetupRequest'];
export type SetupResult = Schemas['SetupResult'];

export const selfQuery = queryOptions({
  queryKey: ['self'],
  queryFn: ({ signal }) => api.get('/api/0/', { signal }),
  staleTime: staticStaleTimeMs,
});

export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => api.get('/api/0/setup/', { signal }),
});

export const organizationsQuery = queryOptions({
  queryKey: ['organizations'],
  queryFn: ({ signal }) => api.get('/api/0/organizations/', { signal }),
  staleTime: staticStaleTimeMs,
});

export function setUp(body: SetupRequest): Promise<SetupResult> {
  return api.post('/api/0/setup/', { body });
}

export async function signIn(email: string, password: string): Promise<void> {
  await post('/api/auth/sign-in/email', { email, password });
}

export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {});
}
