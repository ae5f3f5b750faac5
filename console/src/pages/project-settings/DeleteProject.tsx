import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { deleteProject } from '../../features/projects/changes.ts';
import { type Project } from '../../features/projects/queries.ts';
import { chosen } from '../../features/filters/travel.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import styles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';

const Confirm = lazy(() => import('../../ui/Confirm.tsx').then((module) => ({ default: module.Confirm })));

export function DeleteProject({ project }: { readonly project: Project }) {
  const org = useOrg();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteProject(org, project.slug),
    onSuccess: async () => {
      toast(`${project.name} deleted`);
      await navigate({ to: '/projects', search: (before) => chosen(before, { project: undefined }) });
      queries.removeQueries({ queryKey: ['projects', org, project.slug] });
      await queries.invalidateQueries({ queryKey: ['projects', org] });
    },
  });
  return (
    <Section title="Delete" note="Deletes the project with its issues, events and keys. There is no way back.">
      <div className={styles.row}>
        <Button variant="danger" onClick={() => setAsking(true)}>
          Delete project
        </Button>
      </div>
      <Suspense>
        {asking && (
          <Confirm
            title={`Delete ${project.name}?`}
            action="Delete project"
            typed={project.slug}
            busy={remove.isPending}
            onConfirm={() => remove.mutate()}
            onClose={() => setAsking(false)}
          >
            <p>All issues, events and keys of this project are deleted. There is no way back.</p>
            <FormError error={remove.error} />
          </Confirm>
        )}
      </Suspense>
    </Section>
  );
}
