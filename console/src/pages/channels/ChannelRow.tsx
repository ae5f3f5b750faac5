import { useMutation, useQueryClient } from '@tanstack/react-query';
import { healthOf } from '../../features/channels/delivery-words.ts';
import { kinds, shownConfig } from '../../features/channels/kinds.ts';
import { resubscribe, testChannel, type Channel } from '../../features/channels/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import * as m from '../../messages/channels.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
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
  const { name, type, problem, failingSince, lastSent, quietHours, unsubscribed } = channel;
  const hasLeft = unsubscribed.some(({ address }) => address === user.email.toLowerCase());
  const health = healthOf(channel);
  const shown = shownConfig(channel);
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{name}</strong> {health && <Flag kind={health.flag}>{health.word}</Flag>}
        </>
      }
      facts={
        <>
          <Facts>
            <span translate="no">{kinds[type].name}</span>
            {shown.length > 0 && <span translate="no">{shown.join(', ')}</span>}
            {quietHours && m.quietFrom({ from: quietHours.from, until: quietHours.until })}
            {lastSent && m.lastSent({ when: <Time at={lastSent} /> })}
          </Facts>
          {unsubscribed.length > 0 && (
            <Text tone="faint" small>
              {m.unsubscribed({ addresses: unsubscribed.map(({ address }) => address).join(', ') })}
            </Text>
          )}
          {problem && failingSince && (
            <Text tone="error" small>
              {m.failingSince({ when: <Time at={failingSince} />, reason: <span translate="no">{problem}</span> })}
            </Text>
          )}
        </>
      }
      end={
        <Inline gap={4}>
          <Button size="small" variant="ghost" aria-pressed={isShown} aria-label={m.logOf({ name })} onClick={onLog}>
            {m.log}
          </Button>
          {hasLeft && (
            <Button size="small" variant="ghost" busy={back.isPending} onClick={() => back.mutate()}>
              {m.subscribeAgain}
            </Button>
          )}
          {mayManage && (
            <>
              <Button
                size="small"
                variant="ghost"
                aria-label={m.testChannel({ name })}
                busy={test.isPending}
                onClick={() => test.mutate()}
              >
                {m.test}
              </Button>
              <Button size="small" variant="ghost" aria-label={m.editChannel({ name })} onClick={onEdit}>
                {m.edit}
              </Button>
              <Button size="small" variant="ghost" aria-label={m.deleteChannel({ name })} onClick={onDelete}>
                {m.deleteAction}
              </Button>
            </>
          )}
        </Inline>
      }
    >
      {(test.data || test.error || back.error) && (
        <>
          {test.data && <TestOutcome result={test.data} />}
          <FormError error={test.error ?? back.error} />
        </>
      )}
    </DataRow>
  );
}
