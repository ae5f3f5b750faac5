import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type AskedScope = Schemas['OAuthScope'];
export type AuthorizationRequest = Omit<Schemas['OAuthAuthorizationRequest'], 'scopes'>;

/** As RFC 6749 and its companions name what an app writes into the address. */
export function requestIn(search: string): AuthorizationRequest {
  const given = new URLSearchParams(search);
  const text = (name: string): string => given.get(name) ?? '';
  const optional = (name: string): Partial<Record<string, string>> =>
    given.get(name) === null ? {} : { [name]: text(name) };
  return {
    clientId: text('client_id'),
    redirectUri: text('redirect_uri'),
    responseType: text('response_type'),
    challenge: text('code_challenge'),
    challengeMethod: text('code_challenge_method'),
    ...optional('scope'),
    ...optional('state'),
    ...optional('resource'),
  };
}

export const authorizationQuery = (query: AuthorizationRequest) =>
  queryOptions({
    queryKey: ['oauth-authorization', query],
    queryFn: ({ signal }) => api.get('/api/0/oauth/authorization/', { params: { query }, signal }),
    retry: false,
  });

/** Resolves to where the reader goes back to. */
export async function authorize(org: string, body: Schemas['OAuthAuthorizationRequest']): Promise<string> {
  const { url } = await api.post('/api/0/organizations/{org}/oauth/authorizations/', {
    params: { path: { org } },
    body,
  });
  return url;
}

export const readDevice = (code: string): Promise<Schemas['OAuthDevice']> =>
  api.get('/api/0/oauth/devices/{code}/', { params: { path: { code } } });

export const decideDevice = (org: string, body: Schemas['OAuthDeviceDecision']): Promise<unknown> =>
  api.post('/api/0/organizations/{org}/oauth/devices/', { params: { path: { org } }, body });
