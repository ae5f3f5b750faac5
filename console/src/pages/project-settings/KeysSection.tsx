import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { AddIcon } from '../../ui/icons.ts';
import { createKey } from '../../features/projects/changes.ts';
import { keysQuery, type Project } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Card, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { toast } from '../../ui/toasts.ts';
import { KeyRow } from './KeyRow.tsx';

export function KeysSection({ project }: { readonly project: Project }) {
  const org = useOrg();
  const queries = useQueryClient();
  const keys = useQuery(keysQuery(org, project.slug));
  const create = useMutation({
    mutationFn: () => createKey(org, project.slug, `Key ${(keys.data?.length ?? 0) + 1}`),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['projects', org, project.slug] });
      toast('Key created');
    },
  });
  return (
    <Section
      title="Keys"
      note="Each key is a DSN. Make one per place that sends, so that one can be stopped alone."
      actions={
        <Button size="small" icon={<AddIcon size={14} />} busy={create.isPending} onClick={() => create.mutate()}>
          New key
        </Button>
      }
    >
      <FormError error={create.error} />
      {keys.isPending ? (
        <Skeleton rows={2} height={72} label="Loading keys" />
      ) : keys.isError ? (
        <ErrorState error={keys.error} retry={() => void keys.refetch()} what="The keys could not be loaded" />
      ) : keys.data.length === 0 ? (
        <p>This project has no key and takes no events. Create one.</p>
      ) : (
        <Card>
          <ul>
            {keys.data.map((key) => (
              <KeyRow key={key.id} project={project} projectKey={key} />
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}
