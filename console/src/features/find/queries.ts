/** What a text names, and the own watches for digests that have not arrived. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import type { Filters } from '../filters/filters.ts';
import { projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type FindAnswer = Schemas['FindAnswer'];
export type Cause = Schemas['FindCause'];
export type Evidence = Schemas['FindEvidence'];
export type FoundEvent = Schemas['FoundEvent'];
export type FoundTrace = Schemas['FoundTrace'];
export type Shown = Schemas['FindShown'];
export type Understood = Schemas['Understood'];
export type Watch = Schemas['DigestWatch'];

/** Where and when is looked; nothing: in all projects, in all that is stored. */
export type FindScope = Pick<Filters, 'project' | 'range' | 'start' | 'end'>;

export const findQuery = (org: string, text: string, { project, range, start, end }: FindScope = {}) =>
  queryOptions({
    queryKey: ['find', org, text, project, range, start, end],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/find/', {
        params: {
          path: { org },
          query: { q: text, ...projectParameter({ project }), ...rangeParameters({ range, start, end }) },
        },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const watchesQuery = (org: string) =>
  queryOptions({
    queryKey: ['watches', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/digest-watches/', { params: { path: { org } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

export function createWatch(org: string, body: Schemas['DigestWatchRequest']): Promise<Watch> {
  return api.post('/api/0/organizations/{org}/digest-watches/', { params: { path: { org } }, body });
}

export function deleteWatch(org: string, id: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/digest-watches/{id}/', { params: { path: { org, id } } });
}

/** Notes that the user was told that it arrived. */
export function markWatchSeen(org: string, id: string): Promise<Watch> {
  return api.put('/api/0/organizations/{org}/digest-watches/{id}/', {
    params: { path: { org, id } },
    body: { seen: true },
  });
}
