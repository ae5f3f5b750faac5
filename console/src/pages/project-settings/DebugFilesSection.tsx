import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay, useOrg } from '../../features/session/organization.ts';
import {
  type DebugFile,
  debugFilesQuery,
  deleteDebugFile,
  mostDebugFiles,
} from '../../features/source-maps/queries.ts';
import * as m from '../../messages/project-settings.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { DebugFileRow } from './DebugFileRow.tsx';

/** Mappings and source bundles of the project. Left out where there are none. */
export function DebugFilesSection({ slug }: { readonly slug: string }) {
  const org = useOrg();
  const may = useMay('project:releases');
  const queries = useQueryClient();
  const [asked, setAsked] = useState<DebugFile>();
  const options = debugFilesQuery(org, slug);
  const { data = [] } = useQuery(options);
  const remove = useMutation({
    mutationFn: (id: string) => deleteDebugFile(org, slug, id),
    onSuccess: async () => {
      setAsked(undefined);
      await queries.invalidateQueries({ queryKey: options.queryKey });
      toast(m.debugFileDeleted);
    },
  });
  if (data.length === 0) return null;
  return (
    <Section title={m.debugFiles} note={m.debugFilesHint}>
      <DataList>
        {data.map((file) => (
          <DebugFileRow key={file.id} file={file} onDelete={may ? () => setAsked(file) : undefined} />
        ))}
      </DataList>
      {data.length === mostDebugFiles && <Nothing>{m.debugFilesMore}</Nothing>}
      {asked && (
        <Confirm
          title={m.deleteDebugFileAsk({ id: asked.debugId || asked.objectName })}
          action={m.deleteDebugFile}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(asked.id)}
          onClose={() => setAsked(undefined)}
        >
          <p>{m.deleteDebugFileWhat}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </Section>
  );
}
