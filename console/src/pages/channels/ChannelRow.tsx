import { useMutation, useQueryClient } from '@tanstack/react-query';
import { healthOf } from '../../features/channels/delivery-words.ts';
import { kinds } from '../../features/channels/kinds.ts';
import { resubscribe, testChannel, type Channel } from '../../features/channels/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './ChannelsPage.module.css';
import { TestOutcome } from './TestOutcome.tsx';

export function ChannelRow({
  channel,
  isShown,
  mayManage,
  onEdit,
  onDelete,
  onLog,
}: {
  readonly channel: Channel;
  /** Whether the log is that of this channel alone. */
  readonly isShown: boolean;
  readonly mayManage: boolean;
  readonly onEdit: () => void;
  readonly onDelete: () => void;
  readonly onLog: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const test = useMutation({
    mutationFn: () => testChannel(org, channel.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['channels', org] }),
  });
  const { user } = useSession();
  const back = useMutation({
    mutationFn: () => resubscribe(org, channel.id),
    onSettled: () => queries.invalidateQueries({ queryKey: ['channels', org] }),
  });
  const { name, type, config, problem, failingSince, lastSent, quietHours, unsubscribed } = channel;
  const hasLeft = unsubscribed.some(({ address }) => address === user.email.toLowerCase());
  const health = healthOf(channel);
  const shown = kinds[type].fields.flatMap(({ key }) => config[key] ?? []).flat();
  return (
    <div className={styles.line}>
      <div className={styles.what}>
        <span className={styles.name}>
          <strong>{name}</strong> {health && <Flag kind={health.flag}>{health.word}</Flag>}
        </span>
        <span className={styles.faint}>
          {kinds[type].name} · {shown.join(', ')}
          {quietHours && ` · quiet ${quietHours.from}–${quietHours.until}`}
          {lastSent && (
            <>
              {' '}
              · last sent <Time at={lastSent} />
            </>
          )}
        </span>
        {unsubscribed.length > 0 && (
          <span className={styles.faint}>Unsubscribed: {unsubscribed.map(({ address }) => address).join(', ')}</span>
        )}
        {problem && failingSince && (
          <span className={styles.problem}>
            Failing since <Time at={failingSince} />: {problem}
          </span>
        )}
      </div>
      <div className={styles.actions}>
        <Button size="small" variant="ghost" aria-pressed={isShown} aria-label={`Log of ${name}`} onClick={onLog}>
          Log
        </Button>
        {hasLeft && (
          <Button size="small" variant="ghost" busy={back.isPending} onClick={() => back.mutate()}>
            Subscribe again
          </Button>
        )}
        {mayManage && (
          <>
            <Button
              size="small"
              variant="ghost"
              aria-label={`Test ${name}`}
              busy={test.isPending}
              onClick={() => test.mutate()}
            >
              Test
            </Button>
            <Button size="small" variant="ghost" aria-label={`Edit ${name}`} onClick={onEdit}>
              Edit
            </Button>
            <Button size="small" variant="ghost" aria-label={`Delete ${name}`} onClick={onDelete}>
              Delete
            </Button>
          </>
        )}
      </div>
      {test.data && <TestOutcome result={test.data} />}
      <FormError error={test.error ?? back.error} />
    </div>
  );
}
