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
