/** What the page of a release asks beside the release itself, and what can be done with it. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader } from '../../api/link-header.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type ReleaseCommit = Schemas['ReleaseCommit'];
export type Deploy = Schemas['Deploy'];
export type Artifact = Schemas['Artifact'];

/** The first so many; `more` where there are further ones. */
export interface Part<T> {
  readonly rows: readonly T[];
  readonly more: boolean;
}

export const releaseCommitsQuery = (org: string, version: string, limit: number) =>
  queryOptions({
    queryKey: ['releases', org, 'one', version, 'commits', limit],
    queryFn: async ({ signal }): Promise<Part<ReleaseCommit>> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/releases/{version}/commits/', {
        params: { path: { org, version }, query: { limit } },
        signal,
      });
      return { rows: data, more: parseLinkHeader(response.headers.get('link')).next !== undefined };
    },
    staleTime: dynamicStaleTimeMs,
  });

export const releaseDeploysQuery = (org: string, version: string) =>
  queryOptions({
    queryKey: ['releases', org, 'one', version, 'deploys'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/releases/{version}/deploys/', {
        params: { path: { org, version }, query: { limit: 20 } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const releaseFilesQuery = (org: string, version: string, limit: number) =>
  queryOptions({
    queryKey: ['releases', org, 'one', version, 'files', limit],
    queryFn: async ({ signal }): Promise<Part<Artifact>> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/releases/{version}/files/', {
        params: { path: { org, version }, query: { limit } },
        signal,
      });
      return { rows: data, more: parseLinkHeader(response.headers.get('link')).next !== undefined };
    },
    staleTime: dynamicStaleTimeMs,
  });

export const suspectCommitsQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'suspect-commits'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/suspect-commits/', {
        params: { path: { org, issue } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export function deleteRelease(org: string, version: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/releases/{version}/', { params: { path: { org, version } } });
}

export function setReleaseStatus(org: string, version: string, status: 'open' | 'archived'): Promise<unknown> {
  return api.put('/api/0/organizations/{org}/releases/{version}/', {
    params: { path: { org, version } },
    body: { status },
  });
}
