import { useQueryClient } from '@tanstack/react-query';
import { type AuditLog, updateAuditLog } from '../../features/audit/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/audit.ts';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

const isDays = (text: string): boolean => /^\d{2,4}$/.test(text) && Number(text) >= 30 && Number(text) <= 3650;

/** How long entries are kept, and where new ones are sent. For owners. */
export function AuditSettings({ log }: { readonly log: AuditLog }) {
  const org = useOrg();
  const queries = useQueryClient();
  const { stream } = log;
  /** The address is shown without its query, so that one which was not touched is not sent. */
  const streamOf = (url: string, secret: string): Pick<Parameters<typeof updateAuditLog>[1], 'stream'> => {
    const isOther = url !== (stream?.url ?? '');
    if (!isOther && secret === '') return {};
    return { stream: url === '' ? null : { ...(isOther && { url }), ...(secret && { secret }) } };
  };
  const form = useForm({
    start: { retentionDays: String(log.retentionDays), url: stream?.url ?? '', secret: '' },
    save: async ({ retentionDays, url, secret }) => {
      await updateAuditLog(org, { retentionDays: Number(retentionDays), ...streamOf(url.trim(), secret.trim()) });
      await queries.invalidateQueries({ queryKey: ['audit', org] });
      toast(m.saved);
    },
  });
  return (
    <Section title={m.settingsTitle} note={m.settingsNote({ count: log.entries })}>
      {stream?.failingSince && (
        <Notice tone="warning">
          {m.streamFailing({
            when: <Time at={stream.failingSince} />,
            reason: <span translate="no">{stream.problem}</span>,
          })}
        </Notice>
      )}
      <Form form={form} submit={m.save} ready={form.isChanged}>
        <TextField
          label={m.retention}
          hint={m.retentionHint}
          inputMode="numeric"
          autoComplete="off"
          {...form.field('retentionDays', { validate: (text) => isDays(text) || m.retentionInvalid })}
        />
        <TextField label={m.streamUrl} hint={m.streamHint} type="url" autoComplete="off" {...form.field('url')} />
        <TextField
          label={m.streamSecret}
          hint={stream ? m.streamKept : m.streamSecretHint}
          mono
          autoComplete="off"
          spellCheck={false}
          placeholder={m.streamSecretPlaceholder}
          {...form.field('secret')}
        />
        {stream && (
          <Text as="p" tone="faint" small>
            {m.streamSent({ entry: String(stream.sent) })}
          </Text>
        )}
      </Form>
    </Section>
  );
}
