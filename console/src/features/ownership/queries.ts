/** Rules that say whose an issue is. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';
import { dynamicStaleTimeMs, staticStaleTimeMs } from '../freshness.ts';

export type Ownership = Schemas['Ownership'];
export type Codeowners = Schemas['Codeowners'];
export type Owner = Schemas['Owner'];
export type OwnershipPreview = Schemas['OwnershipPreview'];
export type OwnershipTested = Schemas['OwnershipTested'];

const place = (org: string, project: string) => ({ path: { org, project } });

export const ownershipQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['ownership', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/ownership/', { params: place(org, project), signal }),
    staleTime: staticStaleTimeMs,
  });

export const saveOwnership = (org: string, project: string, body: Schemas['OwnershipUpdate']): Promise<Ownership> =>
  api.put('/api/0/projects/{org}/{project}/ownership/', { params: place(org, project), body });

const preview = (org: string, project: string, raw: string, limit: number, signal: AbortSignal) =>
  api.post('/api/0/projects/{org}/{project}/ownership/preview/', {
    params: place(org, project),
    body: { raw, limit },
    signal,
  });

/** What of the rules cannot be read, or names nobody. */
export const ownershipProblemsQuery = (org: string, project: string, raw: string) =>
  queryOptions({
    queryKey: ['ownership', org, project, 'problems', raw],
    queryFn: async ({ signal }) => (await preview(org, project, raw, 0, signal)).problems,
    placeholderData: keepPreviousData,
    staleTime: staticStaleTimeMs,
  });

/** Who the latest issues would go to by these rules. */
export const ownershipPreviewQuery = (org: string, project: string, raw: string) =>
  queryOptions({
    queryKey: ['ownership', org, project, 'preview', raw],
    queryFn: ({ signal }) => preview(org, project, raw, 40, signal),
    placeholderData: keepPreviousData,
    staleTime: dynamicStaleTimeMs,
  });

/** Which of these rules match an issue, and why. */
export const ownershipTestQuery = (org: string, project: string, issue: string, raw: string) =>
  queryOptions({
    queryKey: ['ownership', org, project, 'test', issue, raw],
    queryFn: ({ signal }) =>
      api.post('/api/0/projects/{org}/{project}/ownership/test/', {
        params: place(org, project),
        body: { issue, raw },
        signal,
      }),
    staleTime: dynamicStaleTimeMs,
    retry: false,
  });

/** Adds one, or changes that with `id`. */
export const saveCodeowners = (
  org: string,
  project: string,
  body: Schemas['CodeownersUpdate'] & { readonly raw: string },
  id?: string,
): Promise<Codeowners> =>
  id === undefined
    ? api.post('/api/0/projects/{org}/{project}/codeowners/', { params: place(org, project), body })
    : api.put('/api/0/projects/{org}/{project}/codeowners/{id}/', { params: { path: { org, project, id } }, body });

export const deleteCodeowners = (org: string, project: string, id: string): Promise<unknown> =>
  api.delete('/api/0/projects/{org}/{project}/codeowners/{id}/', { params: { path: { org, project, id } } });
