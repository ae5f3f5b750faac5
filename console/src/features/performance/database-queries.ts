/** Queries to databases: all, and one with who calls it. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { type PageCursors, parseLinkHeader } from '../../api/link-header.ts';
import { environmentParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { filterParameters, scopeOf } from './queries.ts';
import type { QueriesSearch } from './search.ts';

export type DatabaseQuery = Schemas['DatabaseQuery'];
export type QueryDetails = Schemas['DatabaseQueryDetails'];
export type QueryCaller = Schemas['QueryTransactions']['transactions'][number];
export type CallSite = Schemas['CallSites']['sites'][number];
export type QuerySample = Schemas['CallSites']['samples'][number];

/** Largest first; total is the usual order. */
export const querySorts = ['total', 'count', 'p50', 'p95'] as const;
export type QuerySort = (typeof querySorts)[number];

export const querySortOf = (text: string | undefined): QuerySort => querySorts.find((one) => one === text) ?? 'total';

export interface QueriesPage extends PageCursors {
  readonly queries: readonly DatabaseQuery[];
  /** Of the spans that the numbers are from, 0 to 1; null for all. */
  readonly share: number | null;
}

export const queriesQuery = (org: string, search: QueriesSearch) => {
  const { q, cursor } = search;
  const sort = querySortOf(search.sort);
  return queryOptions({
    queryKey: ['performance', org, 'queries', { ...scopeOf(search), q, sort, cursor }],
    queryFn: async ({ signal }): Promise<QueriesPage> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/queries/', {
        params: {
          path: { org },
          query: { sort, query: q, cursor, ...filterParameters(search) },
        },
        signal,
      });
      return { queries: data.data, share: data.meta.share, ...parseLinkHeader(response.headers.get('link')) };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
};

const oneKey = (search: QueriesSearch) => ({ ...scopeOf(search), query: search.query });

/** `project` is that of the query. */
const oneParameters = (org: string, search: QueriesSearch) => ({
  path: { org, project: search.project ?? '', query: search.query ?? '' },
  query: { ...environmentParameter(search), ...rangeParameters(search) },
});

export const queryQuery = (org: string, search: QueriesSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'query', 'details', oneKey(search)],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/queries/{query}/', { params: oneParameters(org, search), signal }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });

export const callersQuery = (org: string, search: QueriesSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'query', 'callers', oneKey(search)],
    queryFn: ({ signal }) => {
      const { path, query } = oneParameters(org, search);
      return api.get('/api/0/projects/{org}/{project}/queries/{query}/transactions/', {
        params: { path, query: { ...query, limit: 10 } },
        signal,
      });
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const callSitesQuery = (org: string, search: QueriesSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'query', 'sites', oneKey(search)],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/queries/{query}/call-sites/', {
        params: oneParameters(org, search),
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

/** `shop.views.books`, and `shop/views.py:31`; '' for what is not known. */
export const placeOf = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  file && line ? `${file}:${line}` : file;
