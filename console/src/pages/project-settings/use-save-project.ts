import { useMutation, useQueryClient } from '@tanstack/react-query';
import { updateProject, type ProjectUpdate } from '../../features/projects/changes.ts';
import { type Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { toast } from '../../ui/toasts.ts';

/** Saves some fields of a project and makes every list of projects know it. */
export function useSaveProject(project: Project, onSaved: (updated: Project) => void = () => undefined) {
  const org = useOrg();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (changes: ProjectUpdate) => updateProject(org, project.slug, changes),
    onSuccess: async (updated) => {
      queries.setQueryData(['projects', org, updated.slug], updated);
      await queries.invalidateQueries({ queryKey: ['projects', org], exact: true });
      toast('Saved');
      onSaved(updated);
    },
  });
}
