/** Lists of an issue: its events, its users. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { type PageCursors, parseLinkHeader } from '../../api/link-header.ts';
import { environmentParameter } from '../../features/filters/parameters.ts';
import { dynamicStaleTimeMs } from '../../features/freshness.ts';

export type EventSummary = Schemas['EventSummary'];
export type AffectedUser = Schemas['ListedTagValue'];

/** Of the address. */
export interface ListSearch {
  readonly q?: string | undefined;
  readonly environment?: string | undefined;
  readonly sort?: 'oldest' | 'last' | 'first' | undefined;
  readonly cursor?: string | undefined;
}

interface ListQuestion {
  readonly org: string;
  readonly issue: string;
  readonly query: string;
  readonly environment: string | undefined;
  readonly cursor: string | undefined;
}

export interface EventPage {
  readonly events: readonly EventSummary[];
  readonly cursors: PageCursors;
}

export interface UserPage {
  readonly users: readonly AffectedUser[];
  readonly cursors: PageCursors;
  /** Different users in all. */
  readonly total: number;
  /** The newest events that were looked at, where there are more. */
  readonly sampled: number | undefined;
}

const limit = 50;

const asked = ({ query, environment, cursor }: ListQuestion) => ({
  limit,
  ...(query && { query }),
  ...(cursor && { cursor }),
  ...environmentParameter({ environment }),
});

const eventListQuery = (question: ListQuestion, sort: 'timestamp' | '-timestamp') =>
  queryOptions({
    queryKey: ['issues', question.org, 'one', question.issue, 'event-list', question, sort],
    queryFn: async ({ signal }): Promise<EventPage> => {
      const { org, issue } = question;
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/issues/{issue}/events/', {
        params: { path: { org, issue }, query: { ...asked(question), sort } },
        signal,
      });
      return { events: data, cursors: parseLinkHeader(response.headers.get('link')) };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

const userListQuery = (question: ListQuestion, sort: 'count' | 'date' | 'age') =>
  queryOptions({
    queryKey: ['issues', question.org, 'one', question.issue, 'users', question, sort],
    queryFn: async ({ signal }): Promise<UserPage> => {
      const { org, issue } = question;
      const { data, response } = await api.getWithResponse(
        '/api/0/organizations/{org}/issues/{issue}/tags/{key}/values/',
        { params: { path: { org, issue, key: 'user' }, query: { ...asked(question), sort } }, signal },
      );
      const sampled = response.headers.get('x-sampled-events');
      return {
        users: data,
        cursors: parseLinkHeader(response.headers.get('link')),
        total: Number(response.headers.get('x-hits') ?? 0),
        sampled: sampled === null ? undefined : Number(sampled),
      };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

const questionOf = (org: string, issue: string, { q = '', environment, cursor }: ListSearch): ListQuestion => ({
  org,
  issue,
  query: q,
  environment,
  cursor,
});

/** Newest first unless the address says otherwise. */
export const eventsOf = (org: string, issue: string, search: ListSearch) =>
  eventListQuery(questionOf(org, issue, search), search.sort === 'oldest' ? 'timestamp' : '-timestamp');

/** Most events first unless the address says otherwise. */
export const usersOf = (org: string, issue: string, search: ListSearch) =>
  userListQuery(
    questionOf(org, issue, search),
    search.sort === 'last' ? 'date' : search.sort === 'first' ? 'age' : 'count',
  );
