/** Quotas of the organisation, its projects and keys, and what is used of them. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Quotas = Schemas['Quotas'];
export type Quota = Schemas['Quota'];
export type QuotaCategory = Quota['category'];
export type QuotaPeriod = Quota['period'];

/** What is used goes on growing while somebody looks. */
const againMs = 30_000;

export const quotasQuery = (org: string) =>
  queryOptions({
    queryKey: ['quotas', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/quotas/', { params: { path: { org } }, signal }),
    refetchInterval: againMs,
  });

export const createQuota = (org: string, body: Schemas['QuotaRequest']): Promise<Quota> =>
  api.post('/api/0/organizations/{org}/quotas/', { params: { path: { org } }, body });

export const changeQuota = (org: string, quota: string, body: Schemas['QuotaUpdate']): Promise<Quota> =>
  api.put('/api/0/organizations/{org}/quotas/{quota}/', { params: { path: { org, quota } }, body });

export const deleteQuota = (org: string, quota: string): Promise<unknown> =>
  api.delete('/api/0/organizations/{org}/quotas/{quota}/', { params: { path: { org, quota } } });

export const saveQuotaSettings = (
  org: string,
  body: Schemas['QuotaSettingsUpdate'],
): Promise<Schemas['QuotaSettings']> =>
  api.put('/api/0/organizations/{org}/quota-settings/', { params: { path: { org } }, body });

/** What makes the same one again. */
export const requestOf = ({ project, key, category, period, amount, hard }: Quota): Schemas['QuotaRequest'] => ({
  ...(project && { project: project.slug }),
  ...(key && { key: key.id }),
  category,
  period,
  amount,
  hard,
});
