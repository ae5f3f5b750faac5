import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { deleteTombstone, tombstonesQuery } from '../../features/triage/queries.ts';
import * as m from '../../messages/project-settings.ts';
import { DataList } from '../../ui/DataList.tsx';
import { Section } from '../../ui/Page.tsx';
import { toast } from '../../ui/toasts.ts';
import { DiscardedRow } from './DiscardedRow.tsx';

/** Issues whose events are dropped on arrival. Left out where there are none. */
export function DiscardedSection({ slug }: { readonly slug: string }) {
  const org = useOrg();
  const may = useMay('event:admin');
  const queries = useQueryClient();
  const options = tombstonesQuery(org, slug);
  const { data = [] } = useQuery(options);
  const accept = useMutation({
    mutationFn: (id: string) => deleteTombstone(org, slug, id),
    onSuccess: () => toast(m.accepted),
    onError: (error) => toast(m.notAccepted({ reason: error.message }), { kind: 'failed' }),
    onSettled: () => queries.invalidateQueries({ queryKey: options.queryKey }),
  });
  if (data.length === 0) return null;
  return (
    <Section title={m.discarded} note={m.discardedHint}>
      <DataList>
        {data.map((tombstone) => (
          <DiscardedRow
            key={tombstone.id}
            tombstone={tombstone}
            busy={accept.isPending && accept.variables === tombstone.id}
            onAccept={may ? () => accept.mutate(tombstone.id) : undefined}
          />
        ))}
      </DataList>
    </Section>
  );
}
