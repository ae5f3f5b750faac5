/** Repositories of the organisation, and where the files of frames lie in them. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { staticStaleTimeMs } from '../freshness.ts';

export type Repository = Schemas['Repository'];
export type RepositoryRequest = Schemas['RepositoryRequest'];
export type CodeMapping = Schemas['CodeMapping'];
export type CodeMappingRequest = Schemas['CodeMappingRequest'];
export type CodeMappingSuggestion = Schemas['CodeMappingSuggestion'];

export const repositoriesQuery = (org: string) =>
  queryOptions({
    queryKey: ['repositories', org],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/repos/', {
        params: { path: { org }, query: { all: '1', limit: 100 } },
        signal,
      }),
    staleTime: staticStaleTimeMs,
  });

export const codeMappingsQuery = (org: string) =>
  queryOptions({
    queryKey: ['repositories', org, 'mappings'],
    queryFn: ({ signal }) =>
      api.get('/api/0/organizations/{org}/code-mappings/', {
        params: { path: { org }, query: { limit: 100 } },
        signal,
      }),
    staleTime: staticStaleTimeMs,
  });

export const mappingSuggestionsQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['repositories', org, 'suggestions', project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/code-mapping-suggestions/', {
        params: { path: { org, project } },
        signal,
      }),
  });

/** Makes one, or changes that with `id`. */
export function saveRepository(org: string, body: RepositoryRequest, id?: string): Promise<Repository> {
  return id === undefined
    ? api.post('/api/0/organizations/{org}/repos/', { params: { path: { org } }, body })
    : api.put('/api/0/organizations/{org}/repos/{id}/', { params: { path: { org, id } }, body });
}

export function deleteRepository(org: string, id: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/repos/{id}/', { params: { path: { org, id } } });
}

/** Makes one, or changes that with `id`, whose project stays. */
export function saveCodeMapping(org: string, body: CodeMappingRequest, id?: string): Promise<CodeMapping> {
  if (id === undefined)
    return api.post('/api/0/organizations/{org}/code-mappings/', { params: { path: { org } }, body });
  const { project: _, ...changes } = body;
  return api.put('/api/0/organizations/{org}/code-mappings/{id}/', { params: { path: { org, id } }, body: changes });
}

export function deleteCodeMapping(org: string, id: string): Promise<unknown> {
  return api.delete('/api/0/organizations/{org}/code-mappings/{id}/', { params: { path: { org, id } } });
}
