/** One log with its attributes. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export type LogDetails = Schemas['LogDetails'];

export const logQuery = (org: string, log: string) =>
  queryOptions({
    queryKey: ['logs', org, log],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/logs/{log}/', { params: { path: { org, log } }, signal }),
    // What is stored of a log does not change.
    staleTime: staticStaleTimeMs,
  });
