import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { useState } from 'react';
import { Empty } from '../../features/places/Empty.tsx';
import {
  codeMappingsQuery,
  deleteCodeMapping,
  type CodeMapping,
  type Repository,
} from '../../features/repositories/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/repositories.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { noMapping, noMappingWithoutRepository } from './empty.ts';
import { MappingForm } from './MappingForm.tsx';
import { MappingRow } from './MappingRow.tsx';

/** Which beginning of a frame's path is replaced by what, to find its file in a repository. */
export function MappingsSection({ repositories }: { readonly repositories: readonly Repository[] }) {
  const org = useOrg();
  const queries = useQueryClient();
  const may = useMay('project:write');
  const mappings = useQuery(codeMappingsQuery(org));
  const [editing, setEditing] = useState<string>();
  const close = (): void => setEditing(undefined);
  const remove = useMutation({
    mutationFn: (mapping: CodeMapping) => deleteCodeMapping(org, mapping.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['repositories', org] });
      toast(m.mappingDeleted);
    },
  });
  const hasRepositories = repositories.length > 0;
  return (
    <Section
      title={m.mappings}
      note={m.mappingsHint}
      actions={
        may &&
        editing !== 'new' &&
        hasRepositories &&
        Boolean(mappings.data?.length) && (
          <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
            {m.addMapping}
          </Button>
        )
      }
    >
      {editing === 'new' && <MappingForm repositories={repositories} onDone={close} />}
      <FormError error={remove.error} />
      <QueryView
        query={mappings}
        loading={m.mappingsLoading}
        failed={m.mappingsFailed}
        rows={2}
        empty={
          editing !== 'new' &&
          (hasRepositories ? (
            <Empty of={noMapping} onAct={may ? () => setEditing('new') : undefined} />
          ) : (
            <Empty of={noMappingWithoutRepository} />
          ))
        }
      >
        {(all) => (
          <DataList>
            {all.map((mapping) =>
              editing === mapping.id ? (
                <li key={mapping.id}>
                  <MappingForm mapping={mapping} repositories={repositories} onDone={close} />
                </li>
              ) : (
                <MappingRow
                  key={mapping.id}
                  mapping={mapping}
                  mayChange={may}
                  deleting={remove.isPending && remove.variables.id === mapping.id}
                  onEdit={() => setEditing(mapping.id)}
                  onDelete={() => remove.mutate(mapping)}
                />
              ),
            )}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}
