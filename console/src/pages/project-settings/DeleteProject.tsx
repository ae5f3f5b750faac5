import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { deleteProject } from '../../features/projects/changes.ts';
import { type Project } from '../../features/projects/queries.ts';
import { chosen } from '../../features/filters/travel.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';

export function DeleteProject({ project }: { readonly project: Project }) {
  const org = useOrg();
  const may = useMay('project:admin');
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => deleteProject(org, project.slug),
    onSuccess: async () => {
      toast(m.deleted({ project: project.name }));
      await navigate({ to: '/projects', search: (before) => chosen(before, { project: undefined }) });
      queries.removeQueries({ queryKey: ['projects', org, project.slug] });
      await queries.invalidateQueries({ queryKey: ['projects', org] });
    },
  });
  if (!may) return null;
  return (
    <Section title={m.deleteTitle} note={m.deleteHint}>
      <Inline>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {m.deleteProject}
        </Button>
      </Inline>
      {asking && (
        <Confirm
          title={m.deleteAsk({ project: project.name })}
          action={m.deleteProject}
          typed={project.slug}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{m.deleteWhat}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </Section>
  );
}
