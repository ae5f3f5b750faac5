/** How long each class of data is kept, what is stored of it, and what a change would delete. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type Retention = Schemas['Retention'];
export type RetentionClass = Schemas['RetentionClass'];
export type RetentionPreview = Schemas['RetentionPreview'];
export type RetentionUpdate = Schemas['RetentionUpdate'];

export type ProjectRetention = Schemas['ProjectRetention'];
export type ProjectRetentionUpdate = Schemas['ProjectRetentionUpdate'];

const url = '/api/0/organizations/{org}/retention/';

export const retentionQuery = (org: string) =>
  queryOptions({
    queryKey: ['retention', org],
    queryFn: ({ signal }) => api.get(url, { params: { path: { org } }, signal }),
  });

export const retentionPreviewQuery = (org: string, body: RetentionUpdate) =>
  queryOptions({
    queryKey: ['retention', org, 'preview', body],
    queryFn: ({ signal }) =>
      api.post('/api/0/organizations/{org}/retention/preview/', { params: { path: { org } }, body, signal }),
    placeholderData: keepPreviousData,
  });

export const saveRetention = (org: string, body: RetentionUpdate): Promise<Retention> =>
  api.put(url, { params: { path: { org } }, body });

const projectUrl = '/api/0/projects/{org}/{project}/retention/';

/** Which policies a project has. */
export const projectRetentionQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['retention', org, 'project', project],
    queryFn: ({ signal }) => api.get(projectUrl, { params: { path: { org, project } }, signal }),
  });

export const projectRetentionPreviewQuery = (org: string, project: string, body: ProjectRetentionUpdate) =>
  queryOptions({
    queryKey: ['retention', org, 'project', project, 'preview', body],
    queryFn: ({ signal }) =>
      api.post('/api/0/projects/{org}/{project}/retention/preview/', {
        params: { path: { org, project } },
        body,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

export const saveProjectRetention = (
  org: string,
  project: string,
  body: ProjectRetentionUpdate,
): Promise<ProjectRetention> => api.put(projectUrl, { params: { path: { org, project } }, body });
