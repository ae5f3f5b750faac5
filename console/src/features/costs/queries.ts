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

/** How much of a category was accepted of a project in the last 30 days. */
export const acceptedQuery = (org: string, project: string, category: string) =>
  queryOptions({
    queryKey: ['costs', org, project, 'accepted', category],
    queryFn: async ({ signal }) => {
      const { groups } = await api.get('/api/0/organizations/{org}/stats_v2/', {
        params: {
          path: { org },
          query: {
            project: [project],
            category: [category],
            outcome: ['accepted'],
            statsPeriod: '30d',
            interval: '30d',
          },
        },
        signal,
      });
      return groups.reduce((sum, { totals }) => sum + (totals['sum(quantity)'] ?? 0), 0);
    },
  });
