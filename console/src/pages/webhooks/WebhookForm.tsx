import { useQuery, useQueryClient } from '@tanstack/react-query';
import { projectsQuery } from '../../features/projects/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import {
  changeWebhook,
  createWebhook,
  type Webhook,
  type WebhookEvent,
  webhooksQuery,
} from '../../features/webhooks/queries.ts';
import * as m from '../../messages/webhooks.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { TextField, Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { toast } from '../../ui/toasts.ts';
import { useForm } from '../../ui/use-form.ts';

const offered = Object.keys(m.events) as (keyof typeof m.events & WebhookEvent)[];
const usual: readonly WebhookEvent[] = ['issue.created', 'issue.resolved', 'issue.regressed', 'issue.assigned'];

interface Fields {
  readonly name: string;
  readonly url: string;
  readonly events: WebhookEvent[];
  /** Slugs; none: all. */
  readonly projects: string[];
  readonly enabled: boolean;
}

/** A new webhook, or one that is there. */
export function WebhookForm({
  webhook,
  onDone,
  onCreated,
}: {
  readonly webhook?: Webhook;
  readonly onDone: () => void;
  readonly onCreated?: (made: { readonly name: string; readonly secret: string }) => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const { data: projects = [] } = useQuery(projectsQuery(org));
  const form = useForm<Fields>({
    start: {
      name: webhook?.name ?? '',
      url: webhook?.url ?? '',
      events: [...(webhook?.events ?? usual)],
      projects: webhook?.projects.map(({ slug }) => slug) ?? [],
      enabled: webhook?.enabled ?? true,
    },
    save: async ({ name, url, ...rest }) => {
      const body = { name: name.trim(), url: url.trim(), ...rest };
      if (webhook) await changeWebhook(org, webhook.id, body);
      else onCreated?.(await createWebhook(org, body));
      await queries.invalidateQueries({ queryKey: webhooksQuery(org).queryKey });
      toast(webhook ? m.saved : m.created);
      onDone();
    },
  });
  return (
    <Form form={form} submit={m.save} onCancel={onDone}>
      <TextField
        label={m.name}
        focused
        autoComplete="off"
        maxLength={100}
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
      <TextField
        label={m.url}
        hint={m.urlHint}
        inputMode="url"
        autoComplete="off"
        maxLength={2000}
        {...form.field('url', { validate: (url) => url.trim() !== '' })}
      />
      <ChoiceGroup label={m.eventsLabel} layout="columns">
        {offered.map((event) => (
          <Choice
            key={event}
            label={m.events[event]}
            value={event}
            {...form.field('events', { validate: (chosen) => chosen.length > 0 })}
          />
        ))}
      </ChoiceGroup>
      <ChoiceGroup label={m.projects} layout="columns">
        {projects.map(({ id, slug, name }) => (
          <Choice key={id} label={<span translate="no">{name}</span>} value={slug} {...form.field('projects')} />
        ))}
      </ChoiceGroup>
      <Toggle label={m.enabled} hint={m.enabledHint} {...form.field('enabled')} />
    </Form>
  );
}
