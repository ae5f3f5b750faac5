import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon, BecomesIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import {
  codeMappingsQuery,
  deleteCodeMapping,
  type CodeMapping,
  type Repository,
} from '../../features/repositories/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Card, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { toast } from '../../ui/toasts.ts';
import { MappingForm } from './MappingForm.tsx';
import styles from './RepositoriesPage.module.css';

/** Which part of a frame's path is to be replaced by what, to find its file in a repository. */
export function MappingsSection({ repositories }: { readonly repositories: readonly Repository[] }) {
  const org = useOrg();
  const queries = useQueryClient();
  const mappings = useQuery(codeMappingsQuery(org));
  const [editing, setEditing] = useState<string>();
  const close = (): void => setEditing(undefined);
  const remove = useMutation({
    mutationFn: (mapping: CodeMapping) => deleteCodeMapping(org, mapping.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['repositories', org] });
      toast('Code mapping deleted');
    },
  });
  return (
    <Section
      title="Code mappings"
      note="Paths of frames differ from paths in the repository. A mapping replaces the beginning."
      actions={
        editing !== 'new' &&
        repositories.length > 0 && (
          <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
            Add mapping
          </Button>
        )
      }
    >
      {editing === 'new' && <MappingForm repositories={repositories} onDone={close} />}
      <FormError error={remove.error} />
      {mappings.isPending ? (
        <Skeleton rows={2} height={56} label="Loading code mappings" />
      ) : mappings.isError ? (
        <ErrorState
          error={mappings.error}
          retry={() => void mappings.refetch()}
          what="The code mappings could not be loaded"
        />
      ) : mappings.data.length === 0 ? (
        editing !== 'new' && (
          <p className={styles.none}>
            {repositories.length > 0 ? 'No mapping yet: frames have no link.' : 'Add a repository first.'}
          </p>
        )
      ) : (
        <Card>
          <ul>
            {mappings.data.map((mapping) => (
              <li key={mapping.id} className={styles.row}>
                {editing === mapping.id ? (
                  <MappingForm mapping={mapping} repositories={repositories} onDone={close} />
                ) : (
                  <div className={styles.line}>
                    <div className={styles.what}>
                      <span className={styles.paths}>
                        <code>{mapping.stackRoot || '(any path)'}</code>
                        <BecomesIcon size={14} aria-label="becomes" />
                        <code>{mapping.sourceRoot || '(the root)'}</code>
                      </span>
                      <span className={styles.faint}>
                        {mapping.projectSlug} in {mapping.repoName}
                        {mapping.defaultBranch && `, branch ${mapping.defaultBranch}`}
                      </span>
                    </div>
                    <Button
                      size="small"
                      variant="ghost"
                      aria-label={`Edit ${mapping.stackRoot}`}
                      onClick={() => setEditing(mapping.id)}
                    >
                      Edit
                    </Button>
                    <Button
                      size="small"
                      variant="ghost"
                      aria-label={`Delete ${mapping.stackRoot}`}
                      busy={remove.isPending && remove.variables.id === mapping.id}
                      onClick={() => remove.mutate(mapping)}
                    >
                      Delete
                    </Button>
                  </div>
                )}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}
