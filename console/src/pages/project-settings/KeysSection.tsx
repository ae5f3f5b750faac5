import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { createKey } from '../../features/projects/changes.ts';
import { keysQuery, type Project } from '../../features/projects/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/project-settings.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Nothing } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { Key } from './Key.tsx';

export function KeysSection({ project }: { readonly project: Project }) {
  const org = useOrg();
  const may = useMay('project:write');
  const queries = useQueryClient();
  const keys = useQuery(keysQuery(org, project.slug));
  const create = useMutation({
    mutationFn: () => createKey(org, project.slug, m.keyName({ number: String((keys.data?.length ?? 0) + 1) })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['projects', org, project.slug] });
      toast(m.keyCreated);
    },
  });
  return (
    <Section
      title={m.keys}
      note={m.keysHint}
      actions={
        may && (
          <Button size="small" icon={<AddIcon size={14} />} busy={create.isPending} onClick={() => create.mutate()}>
            {m.newKey}
          </Button>
        )
      }
    >
      <FormError error={create.error} />
      <QueryView
        query={keys}
        loading={m.keysLoading}
        failed={m.keysFailed}
        rows={2}
        height={96}
        empty={<Nothing>{m.noKeys}</Nothing>}
      >
        {(all) => (
          <DataList>
            {all.map((key) => (
              <Key key={key.id} project={project} projectKey={key} />
            ))}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}
