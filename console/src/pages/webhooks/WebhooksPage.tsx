import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Empty } from '../../features/places/Empty.tsx';
import { useMay, useOrg } from '../../features/session/organization.ts';
import { SettingsBar } from '../../features/settings/SettingsBar.tsx';
import { deleteWebhook, type Webhook, webhooksQuery } from '../../features/webhooks/queries.ts';
import * as m from '../../messages/webhooks.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { AddIcon } from '../../ui/icons.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Column, Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { useTitle } from '../../ui/title.ts';
import { toast } from '../../ui/toasts.ts';
import { none } from './empty.ts';
import { IncomingSection } from './IncomingSection.tsx';
import { WebhookForm } from './WebhookForm.tsx';
import { WebhookLog } from './WebhookLog.tsx';
import { WebhookRow } from './WebhookRow.tsx';

/** Addresses of the organisation that are told of changes, and what they answered. */
export function WebhooksPage() {
  useTitle(m.title, m.settings);
  const may = useMay('org:write');
  return (
    <>
      <SettingsBar />
      <Column>
        {may ? (
          <>
            <Webhooks />
            <IncomingSection />
          </>
        ) : (
          <Denied />
        )}
      </Column>
    </>
  );
}

const Denied = () => (
  <Section title={m.title} note={m.note}>
    <Text as="p" tone="faint">
      {m.denied}
    </Text>
  </Section>
);

function Webhooks() {
  const org = useOrg();
  const queries = useQueryClient();
  const webhooks = useQuery(webhooksQuery(org));
  /** Id of the one that is edited; `new` while one is added. */
  const [editing, setEditing] = useState<string>();
  const [shown, setShown] = useState<string>();
  const [fresh, setFresh] = useState<{ readonly name: string; readonly secret: string }>();
  const [deleting, setDeleting] = useState<Webhook>();
  const close = (): void => setEditing(undefined);
  const remove = useMutation({
    mutationFn: (id: string) => deleteWebhook(org, id),
    onSuccess: async (_, id) => {
      setDeleting(undefined);
      if (shown === id) setShown(undefined);
      // Its deliveries are gone with it, and not asked for again.
      await queries.invalidateQueries({ queryKey: webhooksQuery(org).queryKey, exact: true });
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
        {editing === 'new' && <WebhookForm onDone={close} onCreated={setFresh} />}
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
          empty={editing !== 'new' && <Empty of={none} onAct={() => setEditing('new')} />}
        >
          {(all) => (
            <DataList label={m.title}>
              {all.map((webhook) =>
                editing === webhook.id ? (
                  <li key={webhook.id}>
                    <WebhookForm webhook={webhook} onDone={close} />
                  </li>
                ) : (
                  <WebhookRow
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
      {logged && <WebhookLog key={logged.id} webhook={logged} />}
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
