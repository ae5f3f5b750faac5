import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Channel, channelsQuery } from '../../features/channels/queries.ts';
import { type Quotas, quotasQuery, saveQuotaSettings } from '../../features/quotas/queries.ts';
import { useMay, useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/quotas.ts';
import { fieldLabelClass, SelectField, Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

/** In whose months is counted, and which channels are told. For those who may change it. */
export function QuotaSettings({ quotas }: { readonly quotas: Quotas }) {
  const channels = useQuery(channelsQuery(useOrg()));
  if (!useMay('org:write')) return null;
  return (
    <Section title={m.notify} note={m.notifyNote}>
      <QueryView query={channels} loading={m.loading} failed={m.failed} rows={2} height={44}>
        {(all) => <Fields key={`${quotas.timeZone} ${quotas.channelIds.join()}`} quotas={quotas} channels={all} />}
      </QueryView>
    </Section>
  );
}

/** Those that the browser knows, and the one that is chosen. */
const zonesWith = (chosen: string): string[] =>
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), chosen])].toSorted();

function Fields({ quotas, channels }: { readonly quotas: Quotas; readonly channels: readonly Channel[] }) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<{ timeZone: string; chosen: Record<string, boolean> }>({
    start: {
      timeZone: quotas.timeZone,
      chosen: Object.fromEntries(channels.map(({ id }) => [`c${id}`, quotas.channelIds.includes(id)])),
    },
    save: async ({ timeZone, chosen }) => {
      const channelIds = channels.filter(({ id }) => chosen[`c${id}`]).map(({ id }) => id);
      await saveQuotaSettings(org, { timeZone, channelIds });
      await queries.invalidateQueries({ queryKey: quotasQuery(org).queryKey });
      toast(m.settingsSaved);
    },
  });
  return (
    <Form form={form} submit={m.save} ready={form.isChanged}>
      <SelectField label={m.timeZone} hint={m.timeZoneHint} {...form.field('timeZone')}>
        {zonesWith(quotas.timeZone).map((zone) => (
          <option key={zone} value={zone} translate="no">
            {zone}
          </option>
        ))}
      </SelectField>
      <fieldset>
        <legend className={fieldLabelClass}>{m.channels}</legend>
        {channels.length === 0 && <Text tone="faint">{m.noChannels}</Text>}
        <Stack gap={8}>
          {channels.map(({ id, name }) => (
            <Toggle key={id} label={name} {...form.field(`chosen.c${id}`)} />
          ))}
        </Stack>
      </fieldset>
    </Form>
  );
}
