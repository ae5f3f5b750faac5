/** Traces as a list, as a heatmap, and the values that they have. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader, type PageCursors } from '../../api/link-header.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { fieldParameters, filterOf, type TracesSearch } from './search.ts';

export type ListedTrace = Schemas['ListedTrace'];
export type ListedSegment = Schemas['ListedSegment'];
export type TraceHeatmap = Schemas['TraceHeatmap'];
export type TraceFields = Schemas['TraceFields'];

/** The range where none is chosen, as the server has it. */
export const tracesRange = '24h';

export interface TracesPage extends PageCursors {
  readonly traces: readonly ListedTrace[];
}

function parametersOf(search: TracesSearch) {
  const [since, before] = search.t?.split('-').map(Number) ?? [];
  const fields = Object.fromEntries(
    fieldParameters.flatMap((name) => (search[name] ? [[name, [search[name]]] as const] : [])),
  );
  return {
    ...projectParameter(search),
    ...environmentParameter(search),
    ...rangeParameters(search),
    ...fields,
    query: search.q,
    failed: search.failed,
    durationFrom: search.from,
    durationUntil: search.until,
    since,
    before,
  };
}

export const tracesQuery = (org: string, search: TracesSearch, limit = 25) =>
  queryOptions({
    queryKey: ['traces', org, 'list', filterOf(search), { sort: search.sort, cursor: search.cursor, limit }],
    queryFn: async ({ signal }): Promise<TracesPage> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/traces/', {
        params: {
          path: { org },
          query: { ...parametersOf(search), sort: search.sort, cursor: search.cursor, limit },
        },
        signal,
      });
      return { traces: data, ...parseLinkHeader(response.headers.get('link')) };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const heatmapQuery = (org: string, search: TracesSearch) =>
  queryOptions({
    queryKey: ['traces', org, 'list', filterOf(search), 'heatmap'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/traces/heatmap/', {
        params: { path: { org }, query: parametersOf(search) },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const fieldsQuery = (org: string, search: TracesSearch, limit: number) =>
  queryOptions({
    queryKey: ['traces', org, 'list', filterOf(search), 'fields', limit],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/traces/fields/', {
        params: { path: { org }, query: { ...parametersOf(search), limit } },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
