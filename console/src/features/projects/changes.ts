/** What can be done with projects and their keys. */
import { api, type Schemas } from '../../api/client.ts';
import type { Project, ProjectKey } from './queries.ts';

export type ProjectUpdate = Schemas['ProjectUpdate'];
export type ProjectKeyUpdate = Schemas['ProjectKeyUpdate'];

export function createProject(org: string, body: Schemas['ProjectRequest']): Promise<Project> {
  return api.post('/api/0/organizations/{org}/projects/', { params: { path: { org } }, body });
}

export function updateProject(org: string, project: string, body: ProjectUpdate): Promise<Project> {
  return api.put('/api/0/projects/{org}/{project}/', { params: { path: { org, project } }, body });
}

export function deleteProject(org: string, project: string): Promise<unknown> {
  return api.delete('/api/0/projects/{org}/{project}/', { params: { path: { org, project } } });
}

export function createKey(org: string, project: string, name: string): Promise<ProjectKey> {
  return api.post('/api/0/projects/{org}/{project}/keys/', { params: { path: { org, project } }, body: { name } });
}

export function updateKey(org: string, project: string, id: string, body: ProjectKeyUpdate): Promise<ProjectKey> {
  return api.put('/api/0/projects/{org}/{project}/keys/{id}/', { params: { path: { org, project, id } }, body });
}

export function deleteKey(org: string, project: string, id: string): Promise<unknown> {
  return api.delete('/api/0/projects/{org}/{project}/keys/{id}/', { params: { path: { org, project, id } } });
}
