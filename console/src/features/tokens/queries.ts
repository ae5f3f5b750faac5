import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export type ApiToken = Schemas['ApiToken'];
export type TokenScope = NonNullable<Schemas['ApiTokenRequest']['scopes']>[number];

export const tokensQuery = (org: string) =>
  queryOptions({
    queryKey: ['tokens', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/api-tokens/', { params: { path: { org } }, signal }),
    staleTime: staticStaleTimeMs,
  });

export function createToken(org: string, body: Schemas['ApiTokenRequest']): Promise<Schemas['ApiTokenCreated']> {
  return api.post('/api/0/organizations/{org}/api-tokens/', { params: { path: { org } }, body });
}

export function deleteToken(org: string, id: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/api-tokens/{id}/', { params: { path: { org, id } } });
}
