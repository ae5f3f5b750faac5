/** The mirror of a project: where it forwards what it receives, and how that goes. */
import { queryOptions } from '@tanstack/react-query';
import { api, type Schemas } from '../../api/client.ts';

export type ProjectMirror = Schemas['ProjectMirror'];
export type Mirror = NonNullable<ProjectMirror['mirror']>;
export type MirrorTest = Schemas['MirrorTest'];

const at = (org: string, project: string) => ({ params: { path: { org, project } } });

export const mirrorQuery = (org: string, project: string) =>
  queryOptions({
    queryKey: ['projects', org, project, 'mirror'],
    queryFn: ({ signal }) => api.get('/api/0/projects/{org}/{project}/mirror/', { ...at(org, project), signal }),
  });

export function setMirror(org: string, project: string, body: Schemas['MirrorUpdate']): Promise<ProjectMirror> {
  return api.put('/api/0/projects/{org}/{project}/mirror/', { ...at(org, project), body });
}

export function removeMirror(org: string, project: string): Promise<unknown> {
  return api.delete('/api/0/projects/{org}/{project}/mirror/', at(org, project));
}

export function testMirror(org: string, project: string): Promise<MirrorTest> {
  return api.post('/api/0/projects/{org}/{project}/mirror/test/', at(org, project));
}
