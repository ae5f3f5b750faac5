/** Parts of the pages about performance, asked for once they are on the screen. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { filterParameters, oneKey, oneParameters, scopeOf, tagParameter } from './queries.ts';
import type { TransactionSearch } from './search.ts';

const pickedParameters = (search: TransactionSearch) => ({
  ...tagParameter(search),
  durationFrom: search.from,
  durationUntil: search.until,
});
const pickedKey = (search: TransactionSearch) => ({ ...oneKey(search), from: search.from, until: search.until });

export const samplesQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'one', 'samples', pickedKey(search)],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/transactions/samples/', {
        params: { path: { org }, query: { ...oneParameters(search), ...pickedParameters(search) } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const operationsQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'one', 'operations', pickedKey(search)],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/transactions/operations/', {
        params: { path: { org }, query: { ...oneParameters(search), ...pickedParameters(search), limit: 10 } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const slowTagsQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'one', 'tags', pickedKey(search)],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/transactions/tags/', {
        params: { path: { org }, query: { ...oneParameters(search), ...pickedParameters(search), limit: 8 } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const vitalSeriesQuery = (org: string, filters: Filters, page?: string) =>
  queryOptions({
    queryKey: ['performance', org, 'vitals', 'series', { ...scopeOf(filters), page }],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/vitals/series/', {
        params: { path: { org }, query: { transaction: page, ...filterParameters(filters) } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const vitalCausesQuery = (org: string, filters: Filters, page: string) =>
  queryOptions({
    queryKey: ['performance', org, 'vitals', 'causes', { ...scopeOf(filters), page }],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/vitals/causes/', {
        params: {
          path: { org },
          query: {
            project: filters.project ?? '',
            transaction: page,
            ...environmentParameter(filters),
            ...rangeParameters(filters),
          },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
