import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mirrorQuery, removeMirror, setMirror, testMirror } from '../../features/projects/mirror.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/mirror.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { MirrorForm } from './MirrorForm.tsx';
import { MirrorRow } from './MirrorRow.tsx';

/** Where the project forwards what it receives, and how that goes. */
export function MirrorSection({ slug }: { readonly slug: string }) {
  const org = useOrg();
  const mayChange = useMay('project:write');
  const mayRemove = useMay('project:admin');
  const queries = useQueryClient();
  const [open, setOpen] = useState<'form' | 'remove'>();
  const options = mirrorQuery(org, slug);
  const found = useQuery({ ...options, refetchInterval: ({ state }) => (state.data?.mirror ? 10_000 : false) });
  const changed = (said: string) => async (): Promise<void> => {
    setOpen(undefined);
    await queries.invalidateQueries({ queryKey: options.queryKey });
    toast(said);
  };
  const toggle = useMutation({
    mutationFn: (enabled: boolean) => setMirror(org, slug, { enabled }),
    onSuccess: ({ maxHours }, enabled) => changed(enabled ? m.resumed : m.paused({ hours: String(maxHours) }))(),
  });
  const remove = useMutation({ mutationFn: () => removeMirror(org, slug), onSuccess: changed(m.removed) });
  const test = useMutation({ mutationFn: () => testMirror(org, slug) });
  const mirror = found.data?.mirror;
  const form = open === 'form' && (
    <MirrorForm
      save={async (dsn) => {
        await setMirror(org, slug, { dsn });
        await changed(m.saved)();
      }}
      onCancel={() => setOpen(undefined)}
    />
  );
  return (
    <Section
      title={m.title}
      note={m.note}
      actions={
        mayChange && found.data && !mirror && !form ? (
          <Button size="small" onClick={() => setOpen('form')}>
            {m.setUp}
          </Button>
        ) : undefined
      }
    >
      <FormError error={toggle.error ?? test.error} />
      <QueryView query={found} loading={m.loading} failed={m.failed} rows={1} height={64}>
        {(state) =>
          state.mirror ? (
            <DataList label={m.title}>
              <MirrorRow
                mirror={state.mirror}
                limits={state}
                tested={test.data}
                busy={toggle.isPending ? 'toggle' : test.isPending ? 'test' : undefined}
                editing={open === 'form'}
                onTest={mayChange ? () => test.mutate() : undefined}
                onToggle={mayChange ? () => toggle.mutate(!mirror?.enabled) : undefined}
                onEdit={mayChange ? () => setOpen(open === 'form' ? undefined : 'form') : undefined}
                onRemove={mayRemove ? () => setOpen('remove') : undefined}
              >
                {form}
              </MirrorRow>
            </DataList>
          ) : (
            form
          )
        }
      </QueryView>
      {open === 'remove' && (
        <Confirm
          title={m.removeAsk}
          action={m.removeAction}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setOpen(undefined)}
        >
          <p>{m.removeWhat}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </Section>
  );
}
