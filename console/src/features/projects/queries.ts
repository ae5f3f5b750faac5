/** Projects, their keys, and the environments that events came from. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { parseLinkHeader } from '../../api/link-header.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export type Project = Schemas['Project'];
export type ProjectKey = Schemas['ProjectKey'];

export const projectsQuery = (org: string) =>
  queryOptions({
    queryKey: ['projects', org],
    queryFn: ({ signal }) => allProjects(org, signal),
    staleTime: staticStaleTimeMs,
  });

/** Pages of a hundred; nobody chooses among more than a thousand in a list. */
async function allProjects(org: string, signal: AbortSignal): Promise<Project[]> {
  const projects: Project[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: 100, ...(cursor && { cursor }) };
    const { data, response } = await api.getWithResponse('/api/0/organizations/{org}/projects/', {
      params: { path: { org }, query },
      signal,
    });
    projects.push(...data);
    cursor = parseLinkHeader(response.headers.get('link')).next;
  } while (cursor && projects.length < 1000);
  return projects;
}

export const projectQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['projects', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/', { params: { path: { org, project } }, signal }),
    staleTime: staticStaleTimeMs,
  });

export const keysQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['projects', org, project, 'keys'],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/keys/', { params: { path: { org, project } }, signal }),
    staleTime: staticStaleTimeMs,
  });

export const environmentsQuery = (org: string) =>
  queryOptions({
    queryKey: ['environments', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/environments/', { params: { path: { org } }, signal }),
    // What came without one cannot be chosen: no environment means all.
    select: (environments) => environments.filter(({ name }) => name !== ''),
    staleTime: staticStaleTimeMs,
  });
