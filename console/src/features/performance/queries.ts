/** Transactions and web vitals: what the pages ask first. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader, type PageCursors } from '../../api/link-header.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import type { ListSearch, TransactionSearch } from './search.ts';

export type Transaction = Schemas['Transaction'];
export type Measures = Schemas['TransactionMeasures'];
export type TransactionSeries = Schemas['TransactionSeries'];
export type TransactionDetails = Schemas['TransactionDetails'];
export type SeriesPart = Schemas['TransactionSeriesPart'];
export type ReleaseMark = Schemas['ReleaseMark'];
export type SlowTags = Schemas['SlowTags'];
export type Operation = Schemas['TransactionOperations']['operations'][number];
export type Sample = Schemas['TransactionSamples']['samples'][number];
export type VitalsGroup = Schemas['VitalsGroup'];
export type Vital = VitalsGroup['vitals'][number];
export type VitalName = Vital['vital'];
export type VitalCauses = Schemas['VitalCauses'];
export type VitalSeries = Schemas['VitalSeries'];
export type VitalsBy = 'transaction' | 'browser' | 'device' | 'all';

export const transactionSorts = [
  'total',
  'count',
  'failure',
  'p50',
  'p75',
  'p95',
  'p99',
  'apdex',
  'users',
  'name',
] as const;

export type TransactionSort = (typeof transactionSorts)[number];

export const transactionSortOf = (text: string | undefined): TransactionSort =>
  transactionSorts.find((one) => one === text) ?? 'total';

/** The ranges of these pages where none is chosen, as the server has them. */
export const transactionsRange = '24h';
export const vitalsRange = '7d';

export interface TransactionPage extends PageCursors {
  readonly transactions: readonly Transaction[];
}

export const filterParameters = (filters: Filters) => ({
  ...projectParameter(filters),
  ...environmentParameter(filters),
  ...rangeParameters(filters),
});

const releaseParameter = (release: string | undefined): { release?: string[] } =>
  release ? { release: [release] } : {};

/** Keys carry what is asked for and nothing else, so that a page and its link share an answer. */
export const scopeOf = ({
  project,
  environment,
  range,
  start,
  end,
  release,
}: Filters & { readonly release?: string | undefined }) => ({
  project,
  environment,
  range,
  start,
  end,
  release,
});

export const transactionsQuery = (org: string, search: ListSearch, limit = 25) => {
  const { q, cursor } = search;
  const sort = transactionSortOf(search.sort);
  return queryOptions({
    queryKey: ['performance', org, 'list', { ...scopeOf(search), q, sort, cursor, limit }],
    queryFn: async ({ signal }): Promise<TransactionPage> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/transactions/', {
        params: {
          path: { org },
          query: { limit, sort, query: q, cursor, ...filterParameters(search), ...releaseParameter(search.release) },
        },
        signal,
      });
      return { transactions: data, ...parseLinkHeader(response.headers.get('link')) };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
};

export const seriesQuery = (org: string, search: ListSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'series', { ...scopeOf(search), q: search.q }],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/transactions/series/', {
        params: {
          path: { org },
          query: { query: search.q, ...filterParameters(search), ...releaseParameter(search.release) },
        },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const oneParameters = ({
  project,
  environment,
  range,
  start,
  end,
  release,
  transaction,
  op,
}: TransactionSearch) => ({
  project: project ?? '',
  transaction: transaction ?? '',
  op,
  ...environmentParameter({ environment }),
  ...rangeParameters({ range, start, end }),
  ...releaseParameter(release),
});
export const tagParameter = ({ tag }: TransactionSearch): { tag?: string[] } => (tag ? { tag: [tag] } : {});
export const oneKey = (search: TransactionSearch) => ({
  ...scopeOf(search),
  transaction: search.transaction,
  op: search.op,
  tag: search.tag,
});
export const transactionQuery = (org: string, search: TransactionSearch) =>
  queryOptions({
    queryKey: ['performance', org, 'one', 'details', oneKey(search)],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/transactions/details/', {
        params: { path: { org }, query: { ...oneParameters(search), ...tagParameter(search) } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });

export const vitalsQuery = (org: string, filters: Filters, by: VitalsBy, page?: string) =>
  queryOptions({
    queryKey: ['performance', org, 'vitals', by, { ...scopeOf(filters), page }],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/vitals/', {
        params: { path: { org }, query: { by, transaction: page, limit: 50, ...filterParameters(filters) } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
