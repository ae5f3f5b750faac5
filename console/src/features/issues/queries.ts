/** Issues, their events, tags and hashes. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader } from '../../api/link-header.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type Issue = Schemas['Issue'];
export type IssueDetail = Schemas['IssueDetail'];
export type IssueTag = Schemas['Tag'];
export type IssueHash = Schemas['IssueHash'];
export type Event = Schemas['Event'];
export type IssueSort = 'date' | 'new' | 'freq' | 'user' | 'trends';

export interface IssueListPage {
  readonly issues: readonly Issue[];
  readonly next: string | undefined;
  readonly previous: string | undefined;
  /** How many match in all, when the server knows. */
  readonly hits: number | undefined;
}

export interface IssueListQuestion {
  readonly org: string;
  readonly query: string;
  readonly sort: IssueSort;
  readonly cursor?: string | undefined;
  readonly filters: Filters;
  readonly limit?: number;
}

export const issuesQuery = ({ org, query, sort, cursor, filters, limit = 50 }: IssueListQuestion) =>
  queryOptions({
    queryKey: ['issues', org, 'list', { query, sort, cursor, filters, limit }],
    queryFn: async ({ signal }): Promise<IssueListPage> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/issues/', {
        params: {
          path: { org },
          query: {
            query,
            sort,
            limit,
            shortIdLookup: '1',
            // The series is of the range that the rest of the row is of.
            groupStatsPeriod: 'auto',
            ...(cursor && { cursor }),
            ...projectParameter(filters),
            ...environmentParameter(filters),
            ...rangeParameters(filters),
          },
        },
        signal,
      });
      const hits = Number(response.headers.get('x-hits') ?? Number.NaN);
      return {
        issues: data,
        ...parseLinkHeader(response.headers.get('link')),
        hits: Number.isFinite(hits) ? hits : undefined,
      };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const issueQuery = (org: string, issue: string, filters: Filters = {}) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'detail', filters.environment],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/', {
        // Its tags are a call of their own.
        params: { path: { org, issue }, query: { collapse: ['tags'], ...environmentParameter(filters) } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

/** `event` is an id, `latest`, `oldest` or `recommended`; `query` narrows its neighbours. */
export const issueEventQuery = (org: string, issue: string, event: string, query: string, filters: Filters = {}) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'events', { event, query, environment: filters.environment }],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/events/{event}/', {
        params: { path: { org, issue, event }, query: { ...(query && { query }), ...environmentParameter(filters) } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const issueTagsQuery = (org: string, issue: string, filters: Filters = {}) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'tags', filters.environment],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/tags/', {
        params: { path: { org, issue }, query: { limit: 5, ...environmentParameter(filters) } },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const issueHashesQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'hashes'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/{issue}/hashes/', { params: { path: { org, issue } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

/** The stored event in the wire format, as JSON. */
export const eventJsonQuery = (org: string, project: string, event: string) =>
  queryOptions({
    queryKey: ['events', org, project, event, 'json'],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/events/{event}/json/', {
        params: { path: { org, project, event } },
        signal,
      }),
  });
