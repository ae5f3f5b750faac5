import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { deleteIncoming, type IncomingWebhook, incomingQuery } from '../../features/incoming-webhooks/queries.ts';
import { Empty } from '../../features/places/Empty.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/incoming-webhooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { noneIncoming } from './empty.ts';
import { IncomingForm } from './IncomingForm.tsx';
import { IncomingLog } from './IncomingLog.tsx';
import { IncomingRow } from './IncomingRow.tsx';

/** Hosts of code and of sites that tell of releases and deploys, and what they told. */
export function IncomingSection() {
  const org = useOrg();
  const queries = useQueryClient();
  const webhooks = useQuery(incomingQuery(org));
  /** Id of the one that is edited; `new` while one is added. */
  const [editing, setEditing] = useState<string>();
  const [shown, setShown] = useState<string>();
  const [fresh, setFresh] = useState<{ readonly name: string; readonly secret: string }>();
  const [deleting, setDeleting] = useState<IncomingWebhook>();
  const close = (): void => setEditing(undefined);
  const remove = useMutation({
    mutationFn: (id: string) => deleteIncoming(org, id),
    onSuccess: async (_, id) => {
      setDeleting(undefined);
      if (shown === id) setShown(undefined);
      // What it received is gone with it, and not asked for again.
      await queries.invalidateQueries({ queryKey: incomingQuery(org).queryKey, exact: true });
      toast(m.deleted);
    },
  });
  const logged = webhooks.data?.find(({ id }) => id === shown);
  return (
    <>
      <Section
        title={m.title}
        note={m.note}
        actions={
          editing !== 'new' &&
          Boolean(webhooks.data?.length) && (
            <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
              {m.add}
            </Button>
          )
        }
      >
        {editing === 'new' && <IncomingForm onDone={close} onCreated={setFresh} />}
        {fresh && (
          <Notice tone="ok" says="status">
            <p>{m.secretReady({ name: <strong translate="no">{fresh.name}</strong> })}</p>
            <CopyLine text={fresh.secret} label={m.copySecret} />
          </Notice>
        )}
        <QueryView
          query={webhooks}
          loading={m.loading}
          failed={m.failed}
          height={64}
          empty={editing !== 'new' && <Empty of={noneIncoming} onAct={() => setEditing('new')} />}
        >
          {(all) => (
            <DataList label={m.title}>
              {all.map((webhook) =>
                editing === webhook.id ? (
                  <li key={webhook.id}>
                    <IncomingForm webhook={webhook} onDone={close} />
                  </li>
                ) : (
                  <IncomingRow
                    key={webhook.id}
                    webhook={webhook}
                    isShown={shown === webhook.id}
                    onEdit={() => setEditing(webhook.id)}
                    onDelete={() => setDeleting(webhook)}
                    onLog={() => setShown(shown === webhook.id ? undefined : webhook.id)}
                    onSecret={setFresh}
                  />
                ),
              )}
            </DataList>
          )}
        </QueryView>
      </Section>
      {logged && <IncomingLog key={logged.id} webhook={logged} />}
      {deleting && (
        <Confirm
          title={m.removeAsk({ name: deleting.name })}
          action={m.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{m.removeHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
