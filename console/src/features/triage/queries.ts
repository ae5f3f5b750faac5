/** What triage asks of the server, and tells it. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import type { Filters } from '../filters/filters.ts';
import { environmentParameter, projectParameter, rangeParameters } from '../filters/parameters.ts';
import { dynamicStaleTimeMs, staticStaleTimeMs } from '../freshness.ts';
import type { IssueChange } from './actions.ts';

export type IssuesChanged = Schemas['IssuesChanged'];
export type Bulk = Schemas['Bulk'];
export type BulkChange = Bulk['change'];

/** Of issues by their ids; at most 1,000. */
export const changeIssues = (org: string, ids: readonly string[], change: IssueChange): Promise<IssuesChanged> =>
  api.put('/api/0/organizations/{org}/issues/', { params: { path: { org }, query: { id: [...ids] } }, body: change });

/** They are gone from lists at once, and for good in half a minute. */
export const deleteIssues = (org: string, ids: readonly string[]): Promise<Schemas['IssuesDeleted']> =>
  api.delete('/api/0/organizations/{org}/issues/', { params: { path: { org }, query: { id: [...ids] } } });

const bulkPath = (org: string, bulk: string) => ({ path: { org, bulk } });

/** Takes a change back, of one issue or of fifty thousand. */
export const undoChange = (org: string, id: string): Promise<Bulk> =>
  api.post('/api/0/organizations/{org}/issues/bulk/{bulk}/undo/', { params: bulkPath(org, id) });

export const cancelBulk = (org: string, id: string): Promise<Bulk> =>
  api.delete('/api/0/organizations/{org}/issues/bulk/{bulk}/', { params: bulkPath(org, id) });

/** Everything that a search finds now. */
export const startBulk = (org: string, query: string, filters: Filters, change: BulkChange): Promise<Bulk> => {
  const { project = [] } = projectParameter(filters);
  const { environment = [] } = environmentParameter(filters);
  return api.post('/api/0/organizations/{org}/issues/bulk/', {
    params: { path: { org } },
    body: { query, project, environment, ...rangeParameters(filters), change },
  });
};

export const bulkQuery = (org: string, id: string) =>
  queryOptions({
    queryKey: ['bulk', org, id],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/issues/bulk/{bulk}/', { params: bulkPath(org, id), signal }),
    staleTime: dynamicStaleTimeMs,
  });

export const membersQuery = (org: string) =>
  queryOptions({
    queryKey: ['members', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/members/', { params: { path: { org } }, signal }),
    staleTime: staticStaleTimeMs,
  });

export const teamsQuery = (org: string) =>
  queryOptions({
    queryKey: ['teams', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/teams/', { params: { path: { org } }, signal }),
    staleTime: staticStaleTimeMs,
  });

/** Whom an issue could be assigned to, and why. */
export const suggestedOwnersQuery = (org: string, issue: string) =>
  queryOptions({
    queryKey: ['issues', org, 'one', issue, 'owners'],
    queryFn: ({ signal }) => api.get('/api/0/issues/{issue}/owners/', { params: { path: { issue } }, signal }),
    staleTime: staticStaleTimeMs,
  });

/** Issues whose further events are dropped. */
export const tombstonesQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['tombstones', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/tombstones/', { params: { path: { org, project } }, signal }),
    staleTime: dynamicStaleTimeMs,
  });

/** Takes events of it again. */
export const deleteTombstone = (org: string, project: string, tombstone: string): Promise<unknown> =>
  api.delete('/api/0/projects/{org}/{project}/tombstones/{tombstone}/', {
    params: { path: { org, project, tombstone } },
  });
