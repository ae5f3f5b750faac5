/** What projects take of the disk, and what of it. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type ProjectCost = Schemas['ProjectCost'];
export type ProjectCosts = Schemas['ProjectCosts'];
export type Cost = Schemas['Cost'];

export const costsQuery = (org: string) =>
  queryOptions({
    queryKey: ['costs', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/costs/', { params: { path: { org } }, signal }),
  });

export const projectCostsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['costs', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/costs/', { params: { path: { org, project } }, signal }),
  });
