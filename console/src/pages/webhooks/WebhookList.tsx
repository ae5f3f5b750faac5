import { useMutation, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { Empty } from '../../features/places/Empty.tsx';
import type { EmptyRecord } from '../../features/places/empty.ts';
import type * as texts from '../../messages/webhooks.ts';
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

interface Named {
  readonly id: string;
  readonly name: string;
}

/** Its secret is shown once. */
export interface Made {
  readonly name: string;
  readonly secret: string;
}

export interface FormProps<Webhook> {
  /** None: one is added. */
  readonly webhook?: Webhook;
  readonly onDone: () => void;
  readonly onCreated?: (made: Made) => void;
}

export interface RowProps<Webhook> {
  readonly webhook: Webhook;
  /** Whether its log is shown below. */
  readonly isShown: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onLog: () => void;
  readonly onSecret: (made: Made) => void;
}

/** What is said of webhooks of that direction. */
export type Words = Pick<
  typeof texts,
  | 'title'
  | 'note'
  | 'add'
  | 'secretReady'
  | 'copySecret'
  | 'loading'
  | 'failed'
  | 'removeAsk'
  | 'remove'
  | 'removeHint'
  | 'deleted'
>;

interface WebhookListProps<Webhook extends Named> {
  readonly words: Words;
  readonly none: EmptyRecord;
  readonly query: UseQueryResult<readonly Webhook[]>;
  readonly queryKey: readonly unknown[];
  readonly onRemove: (id: string) => Promise<unknown>;
  readonly Form: ComponentType<FormProps<Webhook>>;
  readonly Row: ComponentType<RowProps<Webhook>>;
  readonly Log: ComponentType<{ readonly webhook: Webhook }>;
}

/** Webhooks of one direction: add, edit and delete them, the secret once, and the log of the one that is chosen. */
export function WebhookList<Webhook extends Named>({
  words,
  none,
  query,
  queryKey,
  onRemove,
  Form,
  Row,
  Log,
}: WebhookListProps<Webhook>) {
  const queries = useQueryClient();
  /** Id of the one that is edited; `new` while one is added. */
  const [editing, setEditing] = useState<string>();
  const [shown, setShown] = useState<string>();
  const [fresh, setFresh] = useState<Made>();
  const [deleting, setDeleting] = useState<Webhook>();
  const close = (): void => setEditing(undefined);
  const remove = useMutation({
    mutationFn: onRemove,
    onSuccess: async (_, id) => {
      setDeleting(undefined);
      if (shown === id) setShown(undefined);
      // Its log is gone with it, and not asked for again.
      await queries.invalidateQueries({ queryKey, exact: true });
      toast(words.deleted);
    },
  });
  const logged = query.data?.find(({ id }) => id === shown);
  return (
    <>
      <Section
        title={words.title}
        note={words.note}
        actions={
          editing !== 'new' &&
          Boolean(query.data?.length) && (
            <Button size="small" icon={<AddIcon size={14} />} onClick={() => setEditing('new')}>
              {words.add}
            </Button>
          )
        }
      >
        {editing === 'new' && <Form onDone={close} onCreated={setFresh} />}
        {fresh && (
          <Notice tone="ok" says="status">
            <p>{words.secretReady({ name: <strong translate="no">{fresh.name}</strong> })}</p>
            <CopyLine text={fresh.secret} label={words.copySecret} />
          </Notice>
        )}
        <QueryView
          query={query}
          loading={words.loading}
          failed={words.failed}
          height={64}
          empty={editing !== 'new' && <Empty of={none} onAct={() => setEditing('new')} />}
        >
          {(all) => (
            <DataList label={words.title}>
              {all.map((webhook) =>
                editing === webhook.id ? (
                  <li key={webhook.id}>
                    <Form webhook={webhook} onDone={close} />
                  </li>
                ) : (
                  <Row
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
      {logged && <Log key={logged.id} webhook={logged} />}
      {deleting && (
        <Confirm
          title={words.removeAsk({ name: deleting.name })}
          action={words.remove}
          busy={remove.isPending}
          onConfirm={() => remove.mutate(deleting.id)}
          onClose={() => setDeleting(undefined)}
        >
          <p>{words.removeHint}</p>
          <FormError error={remove.error} />
        </Confirm>
      )}
    </>
  );
}
