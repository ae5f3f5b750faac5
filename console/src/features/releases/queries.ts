/** Releases, and one of them with its neighbours. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader, type PageCursors } from '../../api/link-header.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';

export type Release = Schemas['Release'];
export type ReleaseDetail = Schemas['ReleaseDetail'];
export type ReleaseHealth = Schemas['ReleaseHealth'];

export interface ReleaseListSearch extends Filters {
  /** Part of the version. */
  readonly q?: string | undefined;
  readonly status?: 'archived' | undefined;
  readonly sort?: 'new' | undefined;
  readonly cursor?: string | undefined;
}

export interface ReleaseListPage extends PageCursors {
  readonly releases: readonly Release[];
  /** How often names that events brought found no room since yesterday. */
  readonly leftOut: { readonly releases: number; readonly environments: number };
}

/** Of `releases=19500, environments=3`. */
function leftOutOf(header: string | null): ReleaseListPage['leftOut'] {
  const count = (name: string): number => Number(new RegExp(`\\b${name}=(\\d+)`).exec(header ?? '')?.[1] ?? 0);
  return { releases: count('releases'), environments: count('environments') };
}

export const releasesQuery = (org: string, { q, status, sort, cursor, ...filters }: ReleaseListSearch) =>
  queryOptions({
    queryKey: ['releases', org, 'list', { q, status, sort, cursor, filters }],
    queryFn: async ({ signal }): Promise<ReleaseListPage> => {
      const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/releases/', {
        params: {
          path: { org },
          query: {
            limit: 25,
            query: q,
            status,
            sort,
            cursor,
            health: '1',
            ...projectParameter(filters),
            ...environmentParameter(filters),
            ...rangeParameters(filters),
          },
        },
        signal,
      });
      const leftOut = leftOutOf(response.headers.get('x-culprit-left-out'));
      return { releases: data, leftOut, ...parseLinkHeader(response.headers.get('link')) };
    },
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

export const releaseQuery = (org: string, version: string, filters: Filters) =>
  queryOptions({
    queryKey: ['releases', org, 'one', version, 'detail', filters.project, filters.environment],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/releases/{version}/', {
        params: {
          path: { org, version },
          query: { health: '1', ...projectParameter(filters), ...environmentParameter(filters) },
        },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });
