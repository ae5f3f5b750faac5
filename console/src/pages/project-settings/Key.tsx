import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteKey, updateKey, type ProjectKeyUpdate } from '../../features/projects/changes.ts';
import type { Project, ProjectKey } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { toast } from '../../ui/toasts.ts';
import { EditKey } from './EditKey.tsx';
import { KeyRow, nameOf } from './KeyRow.tsx';

/** A key and what can be done with it. */
export function Key({ project, projectKey: key }: { readonly project: Project; readonly projectKey: ProjectKey }) {
  const org = useOrg();
  const may = useMay('project:write');
  const mayDelete = useMay('project:admin');
  const queries = useQueryClient();
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const change = async (changes: ProjectKeyUpdate, done: string): Promise<void> => {
    await updateKey(org, project.slug, key.id, changes);
    await queries.invalidateQueries({ queryKey: ['projects', org, project.slug] });
    setEditing(false);
    toast(done);
  };
  const toggle = useMutation({
    mutationFn: () => change({ isActive: !key.isActive }, key.isActive ? m.keyDisabled : m.keyEnabled),
  });
  const remove = useMutation({
    mutationFn: () => deleteKey(org, project.slug, key.id),
    onSuccess: async () => {
      setDeleting(false);
      await queries.invalidateQueries({ queryKey: ['projects', org, project.slug] });
      toast(m.keyDeleted);
    },
  });
  return (
    <KeyRow
      projectKey={key}
      editing={editing}
      toggling={toggle.isPending}
      onEdit={may ? () => setEditing(!editing) : undefined}
      onToggle={may ? () => toggle.mutate() : undefined}
      onDelete={mayDelete ? () => setDeleting(true) : undefined}
    >
      <FormError error={toggle.error} />
      {editing && (
        <EditKey projectKey={key} save={(changes) => change(changes, m.keySaved)} onCancel={() => setEditing(false)} />
      )}
      {deleting && (
        <Confirm
          title={m.deleteKeyTitle({ key: nameOf(key) })}
          action={m.deleteKey}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        >
          <p>{m.deleteKeyHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </KeyRow>
  );
}
