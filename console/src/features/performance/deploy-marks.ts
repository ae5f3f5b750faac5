/** Deploys in the time range of a page, as marks on its charts. */
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '../../api/client.ts';
import type { ChartMark } from '../charts/marks.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs } from '../freshness.ts';
import { useOrg } from '../session/organization.ts';
import { toMarks } from './words.ts';

const deploysQuery = (org: string, { project, environment, range, start, end }: Filters, fallbackRange: string) => {
  const asked = {
    ...projectParameter({ project }),
    ...environmentParameter({ environment }),
    ...rangeParameters({ range: range ?? fallbackRange, start, end }),
  };
  return queryOptions({
    queryKey: ['performance', org, 'deploys', asked],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/deploys/', { params: { path: { org }, query: asked }, signal }),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });
};

/** None while they are not known: charts do not wait for them. */
export function useDeployMarks(filters: Filters, fallbackRange: string): readonly ChartMark[] {
  const { data } = useQuery(deploysQuery(useOrg(), filters, fallbackRange));
  return useMemo(() => toMarks(data ?? []), [data]);
}
