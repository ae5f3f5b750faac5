import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { JsonValue } from '../../features/event/JsonValue.tsx';
import { useOrg } from '../../features/session/organization.ts';
import {
  replayDelivery,
  replayFailed,
  type Webhook,
  type WebhookDelivery,
  webhookDeliveriesQuery,
  webhooksQuery,
} from '../../features/webhooks/queries.ts';
import * as m from '../../messages/webhooks.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { duration } from '../../ui/durations.ts';
import { Toggle } from '../../ui/Field.tsx';
import { Flag, type FlagKind } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';

/** What was sent to one webhook, what it answered, and sending it again. */
export function WebhookLog({ webhook: { id, name } }: { readonly webhook: Webhook }) {
  const org = useOrg();
  const queries = useQueryClient();
  const [failedOnly, setFailedOnly] = useState(false);
  const deliveries = useQuery(webhookDeliveriesQuery(org, id, failedOnly));
  const again = () => queries.invalidateQueries({ queryKey: webhooksQuery(org).queryKey });
  const one = useMutation({
    mutationFn: (delivery: string) => replayDelivery(org, id, delivery),
    onSuccess: () => toast(m.replayed),
    onSettled: again,
  });
  const all = useMutation({
    mutationFn: () => replayFailed(org, id),
    onSuccess: ({ count }) => toast(m.replayedCount({ count })),
    onSettled: again,
  });
  return (
    <Section
      title={m.deliveries}
      note={m.deliveriesNote({ name })}
      actions={
        <Button size="small" busy={all.isPending} onClick={() => all.mutate()}>
          {m.replayFailed}
        </Button>
      }
    >
      <Toggle label={m.failedOnly} checked={failedOnly} onChange={() => setFailedOnly(!failedOnly)} />
      <FormError error={one.error ?? all.error} />
      <QueryView
        query={deliveries}
        loading={m.loadingDeliveries}
        failed={m.deliveriesFailed}
        height={44}
        empty={
          <Text as="p" tone="faint">
            {failedOnly ? m.noFailed : m.noDeliveries}
          </Text>
        }
      >
        {(rows) => (
          <DataList label={m.deliveries}>
            {rows.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                busy={one.isPending && one.variables === delivery.id}
                onReplay={() => one.mutate(delivery.id)}
              />
            ))}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}

const flags: Readonly<Record<WebhookDelivery['state'], FlagKind>> = { waiting: 'plain', sent: 'ok', failed: 'bad' };

const wordOf = (event: string): string =>
  Object.hasOwn(m.events, event) ? m.events[event as keyof typeof m.events] : event;

function DeliveryRow({
  delivery,
  busy,
  onReplay,
}: {
  readonly delivery: WebhookDelivery;
  readonly busy: boolean;
  readonly onReplay: () => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { state, event, detail, attempts, dateCreated, dateDue, dateFinished, body, uuid } = delivery;
  return (
    <DataRow
      title={
        <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
          <Flag kind={flags[state]}>{m.states[state]}</Flag>
          <span>{wordOf(event)}</span>
        </Disclosure>
      }
      end={
        <Facts>
          <Time at={dateFinished ?? dateCreated} />
        </Facts>
      }
    >
      {open && (
        <div id={id}>
          <Stack gap={8}>
            {detail && <p translate="no">{detail}</p>}
            {dateDue && <p>{m.due({ when: <Time at={dateDue} /> })}</p>}
            {attempts.map((attempt) => (
              <Attempt key={attempt.date} attempt={attempt} />
            ))}
            <Text tone="faint" small>
              {m.request} <span translate="no">{uuid}</span>
            </Text>
            <JsonValue value={JSON.parse(body)} />
            {state !== 'waiting' && (
              <Inline gap={12}>
                <Button size="small" busy={busy} onClick={onReplay}>
                  {m.replay}
                </Button>
              </Inline>
            )}
          </Stack>
        </div>
      )}
    </DataRow>
  );
}

function Attempt({ attempt }: { readonly attempt: WebhookDelivery['attempts'][number] }) {
  const { date, status, answer, durationMs } = attempt;
  const told = { when: <Time at={date} />, time: duration(durationMs * 1000) };
  return (
    <div>
      {status === null ? m.attemptUnanswered(told) : m.attempt({ ...told, status: String(status) })}
      {answer && (
        <Text as="p" tone="faint" small>
          <span translate="no">{answer}</span>
        </Text>
      )}
    </div>
  );
}
