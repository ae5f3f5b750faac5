/** What the search box asks: fields and values of the data, saved and recent searches. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { DataSet } from '@culprit/search';
import { api, type Schemas } from '../../api/client.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export type DataField = Schemas['SearchField'];
export type DataValue = Schemas['SearchFieldValue'];
export type SavedSearch = Schemas['SavedSearch'];
export type RecentSearch = Schemas['RecentSearch'];
export type SearchType = SavedSearch['type'];

/** Which rows are looked at for names and values. */
export interface DataScope {
  readonly org: string;
  readonly dataSet: DataSet;
  /** Ids; undefined for the project of the filters, or all. */
  readonly projectIds?: readonly string[] | undefined;
  readonly filters: Filters;
}

const scopeParameters = ({ dataSet, projectIds, filters }: DataScope) => ({
  dataset: dataSet === 'spans' ? ('spans' as const) : ('events' as const),
  ...(projectIds ? { project: [...projectIds] } : projectParameter(filters)),
  ...environmentParameter(filters),
  ...rangeParameters(filters),
});

export const fieldsQuery = (scope: DataScope) =>
  queryOptions({
    queryKey: ['search', scope.org, 'fields', scopeParameters(scope)],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/tags/', {
        params: { path: { org: scope.org }, query: scopeParameters(scope) },
        signal,
      }),
    staleTime: staticStaleTimeMs,
  });

/** `query`: what the value has in it. */
export const valuesQuery = (scope: DataScope, key: string, query: string) =>
  queryOptions({
    queryKey: ['search', scope.org, 'values', key, query, scopeParameters(scope)],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/tags/{key}/values/', {
        params: { path: { org: scope.org, key }, query: { ...scopeParameters(scope), query, limit: 20 } },
        signal,
      }),
    // The values of another field are none of this one.
    placeholderData: (before, last) => (last?.queryKey[3] === key ? before : undefined),
    staleTime: 30_000,
  });

export const savedSearchesQuery = (org: string, type: SearchType) =>
  queryOptions({
    queryKey: ['search', org, 'saved', type],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/searches/', { params: { path: { org }, query: { type } }, signal }),
    staleTime: staticStaleTimeMs,
  });

export const recentSearchesQuery = (org: string, type: SearchType) =>
  queryOptions({
    queryKey: ['search', org, 'recent', type],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/recent-searches/', { params: { path: { org }, query: { type } }, signal }),
    placeholderData: keepPreviousData,
    staleTime: staticStaleTimeMs,
  });

export const noteRecentSearch = (org: string, type: SearchType, query: string): Promise<unknown> =>
  api.post('/api/0/organizations/{org}/recent-searches/', { params: { path: { org } }, body: { type, query } });

export type NewSearch = Pick<SavedSearch, 'name' | 'query' | 'sort' | 'type' | 'visibility' | 'state' | 'isPinned'>;

export const createSearch = (org: string, search: NewSearch) =>
  api.post('/api/0/organizations/{org}/searches/', { params: { path: { org } }, body: search });

export const updateSearch = (org: string, id: string, change: Partial<Omit<NewSearch, 'type'>>) =>
  api.put('/api/0/organizations/{org}/searches/{id}/', { params: { path: { org, id } }, body: change });

export const deleteSearch = (org: string, id: string) =>
  api.delete('/api/0/organizations/{org}/searches/{id}/', { params: { path: { org, id } } });
