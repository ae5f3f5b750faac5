import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOrg } from '../../features/session/organization.ts';
import { rotateSecret, testWebhook, type Webhook, webhooksQuery } from '../../features/webhooks/queries.ts';
import * as m from '../../messages/webhooks.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { Flag, type FlagKind } from '../../ui/Flag.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import type { RowProps } from './WebhookList.tsx';

function healthOf({ enabled, dateDisabled, failingSince, lastSent }: Webhook) {
  const flag = (kind: FlagKind, word: string) => ({ kind, word });
  if (!enabled) return dateDisabled ? flag('bad', m.stopped) : flag('disabled', m.off);
  if (failingSince) return flag('bad', m.failing);
  return lastSent ? flag('ok', m.ok) : undefined;
}

export function WebhookRow({ webhook, isShown, onEdit, onDelete, onLog, onSecret }: RowProps<Webhook>) {
  const org = useOrg();
  const queries = useQueryClient();
  const { id, name, url, projects, events, problem, failingSince, lastSent, dropped } = webhook;
  const test = useMutation({ mutationFn: () => testWebhook(org, id) });
  const rotate = useMutation({
    mutationFn: () => rotateSecret(org, id),
    onSuccess: ({ secret }) => onSecret({ name, secret }),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery(org).queryKey }),
  });
  const health = healthOf(webhook);
  return (
    <DataRow
      title={
        <>
          <strong translate="no">{name}</strong> {health && <Flag kind={health.kind}>{health.word}</Flag>}
        </>
      }
      facts={
        <>
          <Facts>
            <span translate="no">{url}</span>
            {projects.length === 0 ? (
              m.allProjects
            ) : (
              <span translate="no">{projects.map(({ slug }) => slug).join(', ')}</span>
            )}
            {m.eventCount({ count: events.length })}
            {lastSent && m.lastSent({ when: <Time at={lastSent} /> })}
          </Facts>
          {problem && failingSince && (
            <Text tone="error" small>
              {m.failingSince({ when: <Time at={failingSince} />, reason: <span translate="no">{problem}</span> })}
            </Text>
          )}
          {dropped > 0 && (
            <Text tone="error" small>
              {m.droppedCount({ count: dropped })}
            </Text>
          )}
        </>
      }
      end={
        <Inline gap={4}>
          <Button size="small" variant="ghost" aria-pressed={isShown} aria-label={m.logOf({ name })} onClick={onLog}>
            {m.log}
          </Button>
          <Button
            size="small"
            variant="ghost"
            aria-label={m.testOf({ name })}
            busy={test.isPending}
            onClick={() => test.mutate()}
          >
            {m.test}
          </Button>
          <Button
            size="small"
            variant="ghost"
            aria-label={m.rotateOf({ name })}
            busy={rotate.isPending}
            onClick={() => rotate.mutate()}
          >
            {m.rotate}
          </Button>
          <Button size="small" variant="ghost" aria-label={m.editOf({ name })} onClick={onEdit}>
            {m.edit}
          </Button>
          <Button size="small" variant="ghost" aria-label={m.removeOf({ name })} onClick={onDelete}>
            {m.remove}
          </Button>
        </Inline>
      }
    >
      {(test.data || test.error || rotate.error) && (
        <>
          {test.data && (
            <Notice tone={test.data.problem ? 'error' : 'ok'} says="status">
              {test.data.problem
                ? m.notArrived({ reason: test.data.problem })
                : m.arrived({ status: String(test.data.status) })}
            </Notice>
          )}
          <FormError error={test.error ?? rotate.error} />
        </>
      )}
    </DataRow>
  );
}
