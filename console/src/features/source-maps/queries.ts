/** Source maps of a project, and how far symbolication is. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type SourceMaps = Schemas['SourceMaps'];
export type DebugFile = Schemas['DebugFile'];

/** How often work under way is asked about, ms. */
const whileRunningMs = 2000;

export const sourceMapsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['source-maps', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/source-maps/', { params: { path: { org, project } }, signal }),
    staleTime: dynamicStaleTimeMs,
    refetchInterval: (query) => (query.state.data?.state === 'indexing' ? whileRunningMs : false),
  });

/** The newest event of the project whose frames may be those of a built script, in full; null without one. */
export const lastScriptEventQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['source-maps', org, project, 'last-event'],
    queryFn: async ({ signal }): Promise<Schemas['Event'] | null> => {
      const path = { org, project };
      const newest = await api.get('/api/0/projects/{org}/{project}/events/', {
        params: { path, query: { limit: 10 } },
        signal,
      });
      const found = newest.find(({ platform }) => platform === 'javascript' || platform === 'node');
      if (!found) return null;
      return api.get('/api/0/projects/{org}/{project}/events/{event}/', {
        params: { path: { ...path, event: found.eventID } },
        signal,
      });
    },
    staleTime: dynamicStaleTimeMs,
  });

export const debugFilesQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['source-maps', org, project, 'debug-files'],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/files/dsyms/', {
        params: { path: { org, project }, query: { limit: mostDebugFiles } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const mostDebugFiles = 100;

export function deleteDebugFile(org: string, project: string, id: string): Promise<unknown> {
  return api.delete('/api/0/projects/{org}/{project}/files/dsyms/', {
    params: { path: { org, project }, query: { id } },
  });
}

/** Whether events are being symbolicated again because maps arrived after them. */
export const symbolicationQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['symbolication', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/symbolication/', { params: { path: { org, project } }, signal }),
    staleTime: dynamicStaleTimeMs,
    refetchInterval: (query) => (query.state.data?.running ? whileRunningMs : false),
  });

/** Symbolicates one event with what is there by now. */
export function symbolicate(org: string, project: string, event: string): Promise<unknown> {
  return api.post('/api/0/projects/{org}/{project}/events/{event}/symbolicate/', {
    params: { path: { org, project, event } },
  });
}
