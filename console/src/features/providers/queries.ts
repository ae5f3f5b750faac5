/** Providers that members of an organisation sign in through, for its owners. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Provider = Schemas['SignInProvider'];
export type ProviderRequest = Schemas['SignInProviderRequest'];
export type ProviderUpdate = Schemas['SignInProviderUpdate'];
export type ProviderTest = Schemas['SignInProviderTest'];
export type ProviderKind = Provider['kind'];
export type SamlCertificate = Schemas['SamlCertificate'];
export type SamlMetadata = Schemas['SamlMetadata'];
export type MappingRow = Schemas['SignInMapping'];

export const providersQuery = (org: string) =>
  queryOptions({
    queryKey: ['sign-in-providers', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/sign-in-providers/', { params: { path: { org } }, signal }),
  });

export const addProvider = (org: string, body: ProviderRequest): Promise<Provider> =>
  api.post('/api/0/organizations/{org}/sign-in-providers/', { params: { path: { org } }, body });

export const updateProvider = (org: string, id: string, body: ProviderUpdate): Promise<Provider> =>
  api.put('/api/0/organizations/{org}/sign-in-providers/{id}/', { params: { path: { org, id } }, body });

export const deleteProvider = (org: string, id: string): Promise<unknown> =>
  api.delete('/api/0/organizations/{org}/sign-in-providers/{id}/', { params: { path: { org, id } } });

/** As it stands in the form; with `id`, what is left out is that of the stored one. */
export const testProvider = (org: string, body: Schemas['SignInProviderTestRequest']): Promise<ProviderTest> =>
  api.post('/api/0/organizations/{org}/sign-in-providers/test/', { params: { path: { org } }, body });

/** Of a SAML provider, from its XML or the address where it is. */
export const readSamlMetadata = (org: string, body: Schemas['SamlMetadataRequest']): Promise<SamlMetadata> =>
  api.post('/api/0/organizations/{org}/sign-in-providers/saml-metadata/', { params: { path: { org } }, body });

export const verifyDomains = (org: string, id: string): Promise<Provider> =>
  api.post('/api/0/organizations/{org}/sign-in-providers/{id}/domains/', { params: { path: { org, id } } });

export const requireProvider = (org: string, provider: string | null): Promise<Schemas['RequiredProvider']> =>
  api.put('/api/0/organizations/{org}/required-provider/', { params: { path: { org } }, body: { provider } });
