import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type SecuritySettings = Schemas['SecuritySettings'];

export const securityQuery = (org: string) =>
  queryOptions({
    queryKey: ['security', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/security/', { params: { path: { org } }, signal }),
  });

export const saveSecurity = (org: string, body: Schemas['SecuritySettingsUpdate']): Promise<SecuritySettings> =>
  api.put('/api/0/organizations/{org}/security/', { params: { path: { org } }, body });

export type Provisioning = Schemas['Provisioning'];
export type ScimToken = Schemas['ScimToken'];

export const provisioningQuery = (org: string) =>
  queryOptions({
    queryKey: ['provisioning', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/provisioning/', { params: { path: { org } }, signal }),
  });

export const createScimToken = (org: string, body: Schemas['ScimTokenRequest']): Promise<Schemas['ScimTokenCreated']> =>
  api.post('/api/0/organizations/{org}/scim-tokens/', { params: { path: { org } }, body });

export const deleteScimToken = (org: string, id: string): Promise<unknown> =>
  api.delete('/api/0/organizations/{org}/scim-tokens/{id}/', { params: { path: { org, id } } });
