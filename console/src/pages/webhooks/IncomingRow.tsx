import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type IncomingWebhook, incomingQuery, setIncomingSecret } from '../../features/incoming-webhooks/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/incoming-webhooks.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyLine } from '../../ui/CopyLine.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Flag, type FlagKind } from '../../ui/Flag.tsx';
import { Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Inline } from '../../ui/Layout.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import type { RowProps } from './WebhookList.tsx';

export const resultFlags: Readonly<Record<'taken' | 'ignored' | 'refused', FlagKind>> = {
  taken: 'ok',
  ignored: 'plain',
  refused: 'bad',
};

function healthOf({ enabled, hasSecret, refusal, last }: IncomingWebhook) {
  const flag = (kind: FlagKind, word: string) => ({ kind, word });
  if (!enabled) return flag('disabled', m.off);
  if (!hasSecret) return flag('bad', m.noSecret);
  if (refusal) return flag('bad', m.refused);
  return last ? flag(resultFlags[last.result], m.results[last.result]) : undefined;
}

export function IncomingRow({ webhook, isShown, onEdit, onDelete, onLog, onSecret }: RowProps<IncomingWebhook>) {
  const org = useOrg();
  const queries = useQueryClient();
  const [entering, setEntering] = useState(false);
  const { id, name, provider, url, mappings, last, refusal, dateRefused } = webhook;
  const isGiven = provider === 'vercel';
  const rotate = useMutation({
    mutationFn: () => setIncomingSecret(org, id),
    onSuccess: ({ secret }) => onSecret({ name, secret }),
    onSettled: () => queries.invalidateQueries({ queryKey: incomingQuery(org).queryKey }),
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
            <span translate="no">{m.providers[provider]}</span>
            {m.mappingCount({ count: mappings.length })}
            {last ? m.last({ when: <Time at={last.dateReceived} /> }) : m.never}
            {last && <span translate="no">{last.detail}</span>}
          </Facts>
          {refusal && dateRefused && (
            <Text tone="error" small>
              {m.refusal({ when: <Time at={dateRefused} />, reason: <span translate="no">{refusal}</span> })}
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
            aria-label={isGiven ? m.setSecretOf({ name }) : m.rotateOf({ name })}
            busy={rotate.isPending}
            onClick={() => (isGiven ? setEntering(true) : rotate.mutate())}
          >
            {isGiven ? m.setSecret : m.rotate}
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
      <CopyLine text={url} label={m.copyUrl({ name })} />
      {entering && <SecretForm webhook={webhook} onDone={() => setEntering(false)} />}
      <FormError error={rotate.error} />
    </DataRow>
  );
}

/** Takes the secret that the provider made. */
function SecretForm({ webhook, onDone }: { readonly webhook: IncomingWebhook; readonly onDone: () => void }) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<{ readonly secret: string }>({
    start: { secret: '' },
    save: async ({ secret }) => {
      await setIncomingSecret(org, webhook.id, secret.trim());
      await queries.invalidateQueries({ queryKey: incomingQuery(org).queryKey });
      toast(m.secretSet);
      onDone();
    },
  });
  return (
    <Form form={form} submit={m.save} onCancel={onDone}>
      <TextField
        label={m.secret}
        hint={m.secretHint}
        type="password"
        focused
        autoComplete="off"
        maxLength={200}
        {...form.field('secret', { validate: (secret) => secret.trim().length >= 8 })}
      />
    </Form>
  );
}
