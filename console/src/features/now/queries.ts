/** Whether something is wrong, and what changed. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type Now = Schemas['Now'];
export type NowIssue = Schemas['NowIssue'];
export type NowLink = Schemas['NowLink'];

export const nowQuery = (org: string, filters: Pick<Filters, 'project' | 'environment'>) =>
  queryOptions({
    queryKey: ['now', org, filters.project, filters.environment],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/now/', {
        params: { path: { org }, query: { ...projectParameter(filters), ...environmentParameter(filters) } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });
