import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { canResend, recipientOf, stateOf } from '../../features/channels/delivery-words.ts';
import { deliveriesQuery, resendDelivery, type Channel, type Delivery } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/channels.ts';
import { Button } from '../../ui/Button.tsx';
import { DataList, DataRow } from '../../ui/DataList.tsx';
import { Disclosure } from '../../ui/Disclosure.tsx';
import { duration } from '../../ui/durations.ts';
import { Flag } from '../../ui/Flag.tsx';
import { Inline, Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { Answer } from './Answer.tsx';

/** What went out, to one channel or to all of them and to people by mail. */
export function DeliveryLog({
  channel,
  mayManage,
  onAll,
}: {
  readonly channel: Channel | undefined;
  readonly mayManage: boolean;
  readonly onAll: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const deliveries = useQuery(deliveriesQuery(org, channel?.id));
  const resend = useMutation({
    mutationFn: (id: string) => resendDelivery(org, id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['channels', org] });
      toast(m.sentAgain);
    },
    onError: (error) => toast(m.resendFailed({ reason: error.message }), { kind: 'failed' }),
  });
  return (
    <Section
      title={m.deliveries}
      note={channel ? m.deliveriesOfOne({ channel: channel.name }) : m.deliveriesNote}
      actions={
        channel && (
          <Button size="small" onClick={onAll}>
            {m.allDeliveries}
          </Button>
        )
      }
    >
      <QueryView
        query={deliveries}
        loading={m.loadingDeliveries}
        failed={m.deliveriesFailed}
        height={44}
        empty={
          <Text as="p" tone="faint">
            {m.noDeliveries}
          </Text>
        }
      >
        {(all) => (
          <DataList label={m.deliveries}>
            {all.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                mayManage={mayManage}
                busy={resend.isPending && resend.variables === delivery.id}
                onResend={() => resend.mutate(delivery.id)}
              />
            ))}
          </DataList>
        )}
      </QueryView>
    </Section>
  );
}

export function DeliveryRow({
  delivery,
  mayManage,
  busy,
  onResend,
}: {
  readonly delivery: Delivery;
  readonly mayManage: boolean;
  readonly busy: boolean;
  readonly onResend: () => void;
}) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const { word, flag } = stateOf(delivery.state);
  return (
    <DataRow
      title={
        <Disclosure open={open} controls={id} onToggle={() => setOpen(!open)}>
          <Flag kind={flag}>{word}</Flag>
          <span translate="no">{delivery.title}</span>
        </Disclosure>
      }
      end={
        <Facts>
          <span translate="no">{recipientOf(delivery)}</span>
          <Time at={delivery.finished ?? delivery.dateCreated} />
        </Facts>
      }
    >
      {open && (
        <div id={id}>
          <Stack gap={8}>
            {delivery.detail && <p translate="no">{delivery.detail}</p>}
            {delivery.state === 'waiting' && <p>{m.due({ when: <Time at={delivery.due} /> })}</p>}
            {delivery.attempts.map((attempt) => (
              <Attempt key={attempt.at} attempt={attempt} />
            ))}
            <Inline gap={12}>
              <a href={delivery.url}>{m.openSubject}</a>
              {mayManage && canResend(delivery) && (
                <Button size="small" busy={busy} onClick={onResend}>
                  {m.sendAgain}
                </Button>
              )}
            </Inline>
          </Stack>
        </div>
      )}
    </DataRow>
  );
}

function Attempt({ attempt }: { readonly attempt: Delivery['attempts'][number] }) {
  const { at, outcome, status, answer, durationMs } = attempt;
  const told = { when: <Time at={at} />, outcome, time: duration(durationMs * 1000) };
  return (
    <div>
      {status === null ? m.attemptUnanswered(told) : m.attempt({ ...told, status: String(status) })}
      <Answer text={answer} />
    </div>
  );
}
