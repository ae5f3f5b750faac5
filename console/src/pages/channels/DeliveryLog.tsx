import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { canResend, recipientOf, stateOf } from '../../features/channels/delivery-words.ts';
import { deliveriesQuery, resendDelivery, type Channel, type Delivery } from '../../features/channels/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Card, Section } from '../../ui/Page.tsx';
import { ErrorState, Skeleton } from '../../ui/State.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './ChannelsPage.module.css';

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
      toast('Sent once more');
    },
    onError: (error) => toast(`Not sent again: ${error.message}`, { kind: 'failed' }),
  });
  return (
    <Section
      title={channel ? `Deliveries to ${channel.name}` : 'Deliveries'}
      note="The latest 50, the newest first. Kept for 30 days."
      actions={
        channel && (
          <Button size="small" onClick={onAll}>
            Show all
          </Button>
        )
      }
    >
      {deliveries.isPending ? (
        <Skeleton rows={3} height={44} label="Loading deliveries" />
      ) : deliveries.isError ? (
        <ErrorState
          error={deliveries.error}
          retry={() => void deliveries.refetch()}
          what="The deliveries could not be loaded"
        />
      ) : deliveries.data.length === 0 ? (
        <p className={styles.none}>Nothing was sent yet.</p>
      ) : (
        <Card>
          <ul aria-label="Deliveries">
            {deliveries.data.map((delivery) => (
              <li key={delivery.id} className={styles.row}>
                <DeliveryRow
                  delivery={delivery}
                  mayManage={mayManage}
                  busy={resend.isPending && resend.variables === delivery.id}
                  onResend={() => resend.mutate(delivery.id)}
                />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </Section>
  );
}

function DeliveryRow({
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
  const { word, flag } = stateOf(delivery.state);
  return (
    <details className={styles.log}>
      <summary>
        <Flag kind={flag}>{word}</Flag>
        <span className={styles.title}>{delivery.title}</span>
        <span className={styles.faint}>
          {recipientOf(delivery)} · <Time at={delivery.finished ?? delivery.dateCreated} />
        </span>
      </summary>
      <div className={styles.attempts}>
        {delivery.detail && <p>{delivery.detail}</p>}
        {delivery.state === 'waiting' && (
          <p>
            Due <Time at={delivery.due} />
          </p>
        )}
        {delivery.attempts.map(({ at, outcome, status, answer, durationMs }) => (
          <p key={at}>
            <Time at={at} />: {outcome}, {status === null ? 'no answer' : `answered ${status}`} in {durationMs} ms
            {answer && <code className={styles.answer}>{answer}</code>}
          </p>
        ))}
        <div className={styles.actions}>
          <a href={delivery.url}>What it is about</a>
          {mayManage && canResend(delivery) && (
            <Button size="small" busy={busy} onClick={onResend}>
              Send once more
            </Button>
          )}
        </div>
      </div>
    </details>
  );
}
