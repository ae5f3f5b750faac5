/** What is looked for in traces. */
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export const detectorsQuery = (org: string) =>
  queryOptions({
    queryKey: ['detectors', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/performance-detectors/', { params: { path: { org } }, signal }),
    staleTime: staticStaleTimeMs,
  });
