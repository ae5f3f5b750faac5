/** Providers that the sign-in page offers. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type WayIn = Schemas['ShownSignInProvider'];

export const waysInQuery = queryOptions({
  queryKey: ['ways-in'],
  queryFn: async ({ signal }) => (await api.get('/api/0/sign-in/', { signal })).providers,
});

/** For whoever has an address in the domain; `null` where it has no provider. */
export const wayInQuery = (domain: string) =>
  queryOptions({
    queryKey: ['ways-in', domain],
    queryFn: async ({ signal }) =>
      (await api.post('/api/0/sign-in/', { body: { email: `@${domain}` }, signal })).provider,
    enabled: domain !== '',
    retry: false,
  });

/** What looks like the whole domain of an address; '' where there is none yet. */
export const domainIn = (email: string): string => /@([^\s@]+\.[^\s@.]{2,})\s*$/.exec(email)?.[1]?.toLowerCase() ?? '';

/** Where the browser goes to sign in. */
export const startOf = ({ id }: WayIn, next: string): string =>
  `/api/auth/provider/${id}${next === '/' ? '' : `?${new URLSearchParams({ return: next })}`}`;
