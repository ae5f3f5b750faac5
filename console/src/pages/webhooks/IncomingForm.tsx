import { useQueryClient } from '@tanstack/react-query';
import {
  changeIncoming,
  createIncoming,
  type IncomingWebhook,
  incomingQuery,
} from '../../features/incoming-webhooks/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/incoming-webhooks.ts';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';
import { type EditedMapping, firstMapping, IncomingMappings, isWhole } from './IncomingMappings.tsx';

type Provider = IncomingWebhook['provider'];
const providers = Object.keys(m.providers) as Provider[];

interface Fields {
  readonly name: string;
  readonly provider: Provider;
  readonly mappings: EditedMapping[];
  readonly enabled: boolean;
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** A new incoming webhook, or one that is there, whose provider stays. */
export function IncomingForm({
  webhook,
  onDone,
  onCreated,
}: {
  readonly webhook?: IncomingWebhook;
  readonly onDone: () => void;
  readonly onCreated?: (made: { readonly name: string; readonly secret: string }) => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<Fields>({
    start: {
      name: webhook?.name ?? '',
      provider: webhook?.provider ?? 'github',
      mappings: webhook?.mappings.map(({ match, version, projects, environments }, key) => ({
        key,
        match,
        version,
        projects: projects.map(({ slug }) => slug),
        environments: environments.join(', '),
      })) ?? [firstMapping],
      enabled: webhook?.enabled ?? true,
    },
    save: async ({ name, provider, mappings, enabled }) => {
      const body = {
        name: name.trim(),
        enabled,
        mappings: mappings.map(({ match, version, projects, environments }) => ({
          match: match.trim(),
          version: version.trim(),
          projects: [...projects],
          environments: listOf(environments),
        })),
      };
      if (webhook) await changeIncoming(org, webhook.id, body);
      else {
        const { name: made, secret } = await createIncoming(org, { ...body, provider });
        if (secret !== null) onCreated?.({ name: made, secret });
      }
      await queries.invalidateQueries({ queryKey: incomingQuery(org).queryKey });
      toast(webhook ? m.saved : m.created);
      onDone();
    },
  });
  const [provider, mappings] = form.watch(['provider', 'mappings']);
  return (
    <Form form={form} submit={m.save} ready={mappings.every(isWhole)} onCancel={onDone}>
      <TextField
        label={m.name}
        focused
        autoComplete="off"
        maxLength={100}
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
      {!webhook && (
        <SelectField label={m.provider} {...form.field('provider')}>
          {providers.map((one) => (
            <option key={one} value={one} translate="no">
              {m.providers[one]}
            </option>
          ))}
        </SelectField>
      )}
      <IncomingMappings
        provider={provider}
        rows={mappings}
        onChange={(rows) => form.set('mappings', [...rows], { shouldDirty: true })}
      />
      <Toggle label={m.enabled} hint={m.enabledHint} {...form.field('enabled')} />
    </Form>
  );
}
