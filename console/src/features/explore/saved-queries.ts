/** Questions that were saved. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { savedBody } from './request.ts';
import type { ExploreSearch } from './search.ts';

export type SavedQuestion = Schemas['SavedQuestion'];

export const savedQuery = (org: string) =>
  queryOptions({
    queryKey: ['explore', org, 'saved'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/explore/saved/', { params: { path: { org } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

type Visibility = SavedQuestion['visibility'];

export const saveQuestion = (org: string, name: string, visibility: Visibility, search: ExploreSearch) =>
  api.post('/api/0/organizations/{org}/explore/saved/', {
    params: { path: { org } },
    body: { name, visibility, question: savedBody(search) },
  });

/** Saves again what was deleted. It gets another id. */
export const saveAgain = (org: string, { name, visibility, question }: SavedQuestion) =>
  api.post('/api/0/organizations/{org}/explore/saved/', {
    params: { path: { org } },
    body: { name, visibility, question },
  });

export const updateSaved = (
  org: string,
  saved: string,
  changes: { readonly name?: string; readonly visibility?: Visibility; readonly question?: SavedQuestion['question'] },
) => api.put('/api/0/organizations/{org}/explore/saved/{saved}/', { params: { path: { org, saved } }, body: changes });

export const deleteSaved = (org: string, saved: string) =>
  api.delete('/api/0/organizations/{org}/explore/saved/{saved}/', { params: { path: { org, saved } } });
