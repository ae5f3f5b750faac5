/** Sessions of a release over time, and two releases side by side. */
import { termText } from '@culprit/search';
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { healthFields } from './health-series.ts';

export interface Sessions {
  readonly intervals: readonly string[];
  readonly groups: readonly Schemas['SessionGroup'][];
}
export type Comparison = Schemas['ReleaseComparison'];
export type ComparedIssue = Schemas['ComparedIssue'];
export type ComparedNumbers = Schemas['ComparedNumbers'];

export const releaseSessionsQuery = (
  org: string,
  version: string,
  { project, environment }: Filters,
  range: { readonly statsPeriod: string; readonly interval: string },
) =>
  queryOptions({
    queryKey: ['releases', org, 'one', version, 'sessions', project, environment, range],
    queryFn: ({ signal }): Promise<Sessions> =>
      api.get('/api/0/organizations/{org}/sessions/', {
        params: {
          path: { org },
          query: {
            field: [...healthFields],
            groupBy: ['environment'],
            query: termText('release', version),
            ...projectParameter({ project }),
            ...environmentParameter({ environment }),
            ...range,
          },
        },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });

export const comparisonQuery = (org: string, from: string, to: string, { project, environment }: Filters) =>
  queryOptions({
    queryKey: ['releases', org, 'compare', from, to, project, environment],
    queryFn: ({ signal }): Promise<Comparison> =>
      api.get('/api/0/organizations/{org}/releases/compare/', {
        params: {
          path: { org },
          query: { from, to, ...projectParameter({ project }), ...environmentParameter({ environment }) },
        },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
  });
