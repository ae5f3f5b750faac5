import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { updateProject, type ProjectUpdate } from '../../features/projects/changes.ts';
import type { Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { toast } from '../../ui/toasts.ts';

/** Saves some fields of a project and makes every list of projects know it. */
export async function saveProject(
  queries: QueryClient,
  org: string,
  project: Project,
  changes: ProjectUpdate,
): Promise<Project> {
  const updated = await updateProject(org, project.slug, changes);
  queries.setQueryData(['projects', org, updated.slug], updated);
  await queries.invalidateQueries({ queryKey: ['projects', org], exact: true });
  toast(m.saved);
  return updated;
}

/** The same for what is no form. */
export function useSaveProject(project: Project, onSaved: (updated: Project) => void = () => undefined) {
  const org = useOrg();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: ProjectUpdate) => saveProject(queries, org, project, changes),
    onSuccess: onSaved,
  });
}
