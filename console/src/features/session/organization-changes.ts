import { api, type Schemas } from '../../api/client.ts';
import type { Organization } from './queries.ts';

export function updateOrganization(org: string, body: Schemas['OrganizationUpdate']): Promise<Organization> {
  return api.put('/api/0/organizations/{org}/', { params: { path: { org } }, body });
}

export function createOrganization(name: string): Promise<Organization> {
  return api.post('/api/0/organizations/', { body: { name } });
}
