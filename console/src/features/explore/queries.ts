/** What Explore asks. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader, type PageCursors } from '../../api/link-header.ts';
import { dynamicStaleTimeMs, staticStaleTimeMs } from '../freshness.ts';
import { isDrawn } from './choices.ts';
import { questionOf, selectionOf } from './question.ts';
import type { TimeSeries } from './series.ts';
import { askedOf, columnsOf } from './request.ts';
import type { ExploreSearch } from './search.ts';
import { shareOf, type Estimable, type Interval } from './estimate.ts';
import type { AnswerMeta } from './values.ts';

export type ExploreRow = Schemas['ExploreRow'];

export interface ExplorePage extends PageCursors {
  readonly rows: readonly ExploreRow[];
  readonly meta: AnswerMeta & {
    readonly sampling?: PageSampling | undefined;
    /** Of counts after a storm. */
    readonly estimated?: Pick<PageSampling, 'intervals'> | undefined;
  };
  readonly wasEstimated?: true | undefined;
}

export interface PageSampling {
  readonly share: number;
  /** By row, by column. */
  readonly intervals: readonly Readonly<Record<string, Interval>>[];
}

/** A first answer may be estimated; whoever has an exact one keeps it until there is a newer of its kind. */
const samplingBehind = (known: Estimable | undefined): { sampling?: 'allow' } =>
  known && shareOf(known) === undefined ? {} : { sampling: 'allow' };

export interface ExploreSeries {
  readonly timeSeries: readonly TimeSeries[];
  readonly meta: { readonly sampling?: { readonly share: number } | undefined };
  readonly wasEstimated?: true | undefined;
}

export interface ExploreCount {
  readonly count: number;
  /** Of errors, after a storm. */
  readonly represents?: { readonly count: number; readonly interval: Interval | null } | undefined;
  readonly meta?:
    | { readonly sampling?: { readonly share: number; readonly interval: Interval } | undefined }
    | undefined;
  readonly wasEstimated?: true | undefined;
}

/** Groups that have a line of their own. */
export const topGroups = 5;
const groupsOfPage = 25;
const samplesOfPage = 50;

/** What samples are asked for beside their columns, to lead to the event or the trace. */
const linkFields = {
  errors: ['id', 'issue', 'trace'],
  spans: ['id', 'trace', 'timestamp'],
  transactions: ['id', 'trace', 'timestamp'],
} as const;

/** A page of groups or of samples, as the tab says. */
export const pageQuery = (org: string, search: ExploreSearch) => {
  const isSamples = search.tab === 'samples';
  const { dataSet } = questionOf(search);
  const { field, sort } = columnsOf(search);
  const query = {
    ...askedOf(search),
    field: isSamples ? [...new Set([...field, ...linkFields[dataSet]])] : field,
    sort,
    per_page: isSamples ? samplesOfPage : groupsOfPage,
    cursor: search.cursor,
  };
  const queryKey = ['explore', org, 'rows', query] as const;
  const ask = async (signal: AbortSignal, sampling: { sampling?: 'allow' } = {}): Promise<ExplorePage> => {
    const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/events/', {
      params: { path: { org }, query: { ...query, ...sampling } },
      signal,
    });
    return { rows: data.data, meta: data.meta, ...parseLinkHeader(response.headers.get('link')) };
  };
  const first = queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => ask(signal, samplingBehind(client.getQueryData<ExplorePage>(queryKey))),
    // Rows of another tab have other columns.
    placeholderData: (before, of) =>
      of?.queryKey[3] && JSON.stringify(field) === JSON.stringify((of.queryKey[3] as typeof query).field)
        ? before
        : undefined,
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });
  return { first, exact: { queryKey, ask } };
};

export const seriesQuery = (org: string, search: ExploreSearch) => {
  const { axes, groups, sort, dataSet } = questionOf(search);
  const yAxis = axes.filter((axis) => isDrawn(axis, dataSet));
  const query = {
    ...askedOf(search),
    yAxis,
    ...(groups.length > 0 && { topEvents: topGroups, groupBy: [...groups], sort: [sort] }),
  };
  const queryKey = ['explore', org, 'series', query] as const;
  const ask = (signal: AbortSignal, sampling: { sampling?: 'allow' } = {}): Promise<ExploreSeries> =>
    api.get('/api/0/organizations/{org}/events-timeseries/', {
      params: { path: { org }, query: { ...query, ...sampling } },
      signal,
    });
  const first = queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => ask(signal, samplingBehind(client.getQueryData<ExploreSeries>(queryKey))),
    enabled: yAxis.length > 0,
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });
  return { first, exact: { queryKey, ask } };
};

/** How many rows there are. */
export const countQuery = (org: string, search: ExploreSearch) => {
  const query = askedOf(search);
  const queryKey = ['explore', org, 'count', query] as const;
  const ask = (signal: AbortSignal, sampling: { sampling?: 'allow' } = {}): Promise<ExploreCount> =>
    api.get('/api/0/organizations/{org}/events-meta/', {
      params: { path: { org }, query: { ...query, ...sampling } },
      signal,
    });
  const first = queryOptions({
    queryKey,
    queryFn: ({ client, signal }) => ask(signal, samplingBehind(client.getQueryData<ExploreCount>(queryKey))),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });
  return { first, exact: { queryKey, ask } };
};

/** The same of all rows, however long that takes. */
export const fullCountQuery = (org: string, search: ExploreSearch) => {
  const { queryKey, ask } = countQuery(org, search).exact;
  return queryOptions({
    queryKey: [...queryKey, 'full'],
    queryFn: ({ signal }) => ask(signal),
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });
};

export const compareQuery = (org: string, search: ExploreSearch) => {
  const span = selectionOf(search);
  const body = {
    project: [],
    environment: [],
    ...askedOf(search),
    selection: {
      query: search.subset ?? '',
      ...(span && {
        start: new Date(span.from * 1000).toISOString(),
        end: new Date(span.until * 1000).toISOString(),
      }),
    },
    limit: 30,
  };
  return queryOptions({
    queryKey: ['explore', org, 'compare', body],
    queryFn: ({ signal }) =>
      api.post('/api/0/organizations/{org}/events-compare/', { params: { path: { org } }, body, signal }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
    retry: false,
    enabled: span !== undefined || search.subset !== undefined,
  });
};

/** Attributes that the data have, most used first. */
export const attributesQuery = (org: string, search: ExploreSearch) => {
  const { dataset, query: _query, ...asked } = askedOf(search);
  const query = { dataset, ...asked };
  return queryOptions({
    queryKey: ['explore', org, 'attributes', query],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/tags/', { params: { path: { org }, query }, signal }),
    placeholderData: keepPreviousData,
    staleTime: staticStaleTimeMs,
    retry: false,
  });
};
