/** What became of everything that was sent, and whether the service itself is well. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader } from '../../api/link-header.ts';
import type { Filters } from '../filters/filters.ts';
import { projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type Health = Schemas['Health'];
export type Outcomes = Schemas['Outcomes'];
export type Accounts = Schemas['Accounts'];
export type KeptItem = Schemas['Item'];

export const healthQuery = queryOptions({
  queryKey: ['health'],
  queryFn: ({ signal }) => api.get('/api/0/health/', { signal }),
  staleTime: dynamicStaleTimeMs,
});

export const outcomesQuery = (org: string, filters: Filters) =>
  queryOptions({
    queryKey: ['outcomes', org, filters.project, filters.range, filters.start, filters.end],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/outcomes/', {
        params: { path: { org }, query: { ...projectParameter(filters), ...rangeParameters(filters) } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const accountsQuery = (org: string, filters: Filters) =>
  queryOptions({
    queryKey: ['accounts', org, filters.project, filters.range, filters.start, filters.end],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/accounts/', {
        params: { path: { org }, query: { ...projectParameter(filters), ...rangeParameters(filters) } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export interface ItemFilter {
  readonly type?: string;
  readonly outcome?: KeptItem['outcome'];
  readonly reason?: string;
}

export const itemsQuery = (org: string, filters: Filters, filter: ItemFilter) =>
  infiniteQueryOptions({
    queryKey: ['items', org, filters.project, filters.range, filters.start, filters.end, filter],
    queryFn: async ({ signal, pageParam }) => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/items/', {
        params: {
          path: { org },
          query: {
            ...projectParameter(filters),
            ...rangeParameters(filters),
            ...filter,
            ...(pageParam && { cursor: pageParam }),
            limit: 25,
          },
        },
        signal,
      });
      return { items: data, next: parseLinkHeader(response.headers.get('link')).next };
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next,
    staleTime: dynamicStaleTimeMs,
  });

export const itemQuery = (org: string, item: string) =>
  queryOptions({
    queryKey: ['items', org, 'one', item],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/items/{item}/', { params: { path: { org, item } }, signal }),
  });
