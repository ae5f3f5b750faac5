/** Inbound filters of a project, what they dropped, and what they would drop. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type ProjectFilter = Schemas['ProjectFilter'];
export type FilterId = ProjectFilter['id'];
export type FilterPreview = Schemas['FilterPreview'];
export type FilterChange = Schemas['ProjectFilterUpdate'];

export const filtersQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['inbound-filters', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/filters/', { params: { path: { org, project } }, signal }),
  });

export const changeFilter = (
  org: string,
  project: string,
  filter: FilterId,
  body: FilterChange,
): Promise<Schemas['ProjectFilterState']> =>
  api.put('/api/0/projects/{org}/{project}/filters/{filter}/', { params: { path: { org, project, filter } }, body });

/** With patterns that are not saved yet, by their filter. */
export const previewFilters = (
  org: string,
  project: string,
  patterns: Schemas['FilterPreviewRequest']['patterns'],
  signal: AbortSignal,
): Promise<FilterPreview> =>
  api.post('/api/0/projects/{org}/{project}/filters/preview/', {
    params: { path: { org, project } },
    body: { patterns, days: 7, limit: 200 },
    signal,
  });

/** The same as it is typed. */
export const filterPreviewQuery = (
  org: string,
  project: string,
  patterns: Schemas['FilterPreviewRequest']['patterns'],
) =>
  queryOptions({
    queryKey: ['inbound-filters', org, project, 'preview', patterns],
    queryFn: () => previewFilters(org, project, patterns),
    placeholderData: keepPreviousData,
  });
