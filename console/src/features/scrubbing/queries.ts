/** Scrubbing rules of an organisation and of a project, and what they would change. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type OrganizationScrubbing = Schemas['OrganizationScrubbing'];
export type ProjectScrubbing = Schemas['ProjectScrubbing'];
export type ScrubbingPreview = Schemas['ScrubbingPreview'];

export const organizationScrubbingQuery = (org: string) =>
  queryOptions({
    queryKey: ['scrubbing', org],
    queryFn: ({ signal }) => api.get('/api/0/organizations/{org}/scrubbing/', { params: { path: { org } }, signal }),
  });

export const saveOrganizationScrubbing = (
  org: string,
  body: Schemas['OrganizationScrubbingUpdate'],
): Promise<OrganizationScrubbing> =>
  api.put('/api/0/organizations/{org}/scrubbing/', { params: { path: { org } }, body });

export const projectScrubbingQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['scrubbing', org, project],
    queryFn: ({ signal }) =>
      api.get('/api/0/projects/{org}/{project}/scrubbing/', { params: { path: { org, project } }, signal }),
  });

export const saveProjectScrubbing = (org: string, project: string, rules: string): Promise<ProjectScrubbing> =>
  api.put('/api/0/projects/{org}/{project}/scrubbing/', { params: { path: { org, project } }, body: { rules } });

/** The same, asked for as long as somebody looks at it. */
export const scrubbingPreviewQuery = (org: string, project: string, rules: string) =>
  queryOptions({
    queryKey: ['scrubbing', org, project, 'preview', rules],
    queryFn: ({ signal }) => previewScrubbing(org, project, rules, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });

export const previewScrubbing = (
  org: string,
  project: string,
  rules: string,
  signal: AbortSignal,
): Promise<ScrubbingPreview> =>
  api.post('/api/0/projects/{org}/{project}/scrubbing/preview/', {
    params: { path: { org, project } },
    body: { rules, pseudonymizeUsers: false, limit: 25 },
    signal,
  });
