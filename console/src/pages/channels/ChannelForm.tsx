import { useMutation, useQueryClient } from '@tanstack/react-query';
import {
  configOf,
  fieldsOf,
  kindNames,
  kinds,
  missingField,
  newSecret,
  stepsOf,
  valuesOf,
  wayOf,
  type ChannelKind,
  type KindField,
} from '../../features/channels/kinds.ts';
import {
  type Channel,
  type ChannelRequest,
  type QuietHours,
  saveChannel,
  testUnsavedChannel,
} from '../../features/channels/queries.ts';
import { namedChannel, slackChannelsQuery } from '../../features/channels/slack.ts';
import { localZone, QuietHoursFields } from '../../features/notifications/QuietHoursFields.tsx';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/channels.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Text } from '../../ui/Text.tsx';
import { toast } from '../../ui/toasts.ts';
import { type FieldProps, useForm } from '../../ui/use-form.ts';
import styles from './ChannelsPage.module.css';
import { SlackChannelField, SlackWayField } from './SlackFields.tsx';
import { TestOutcome } from './TestOutcome.tsx';

interface Fields {
  readonly type: ChannelKind;
  readonly name: string;
  readonly values: Record<string, string>;
  readonly enabled: boolean;
  readonly quietHours: QuietHours | null;
}

/** Creates a channel, or changes one. It can be tried out before it is saved. */
export function ChannelForm({
  channel,
  hasMail,
  hasSlack,
  onDone,
}: {
  readonly channel?: Channel;
  readonly hasMail: boolean;
  /** Whether the Slack app is connected. */
  readonly hasSlack: boolean;
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const start = channel ? valuesOf(channel) : hasSlack ? { way: 'app' } : {};
  const toConfig = (type: ChannelKind, values: Fields['values']): ChannelRequest['config'] => {
    const config = configOf(type, values);
    if (config['via'] !== 'app') return config;
    const { channel: typed, ...rest } = config;
    // As it was shown: what is left out stays, with the id that is known of it.
    if (channel && start.way === 'app' && typed === start['channel']) return rest;
    const listed = queries.getQueryData(slackChannelsQuery(org).queryKey)?.pages;
    return { ...rest, ...namedChannel(String(typed ?? ''), listed?.flatMap(({ channels }) => channels) ?? []) };
  };
  const form = useForm<Fields>({
    start: {
      type: channel?.type ?? 'slack',
      name: channel?.name ?? '',
      values: start,
      enabled: channel?.enabled ?? true,
      quietHours: channel?.quietHours ?? null,
    },
    save: async ({ type, name, values, enabled, quietHours }) => {
      const body = { type, name: name.trim() || kinds[type].name, config: toConfig(type, values), enabled, quietHours };
      await saveChannel(org, body, channel?.id);
      onDone();
      await queries.invalidateQueries({ queryKey: ['channels', org] });
      toast(channel ? m.saved : m.added);
    },
  });
  const [type, values, quietHours] = form.watch(['type', 'values', 'quietHours']);
  const { name: kindName } = kinds[type];
  const isSaved = channel !== undefined && (type !== 'slack' || wayOf(values) === wayOf(start));
  const missing = missingField(type, values, isSaved);
  const test = useMutation({
    mutationFn: () =>
      testUnsavedChannel(org, { type, config: toConfig(type, values), ...(channel && { id: channel.id }) }),
  });
  const kindField = form.field('type');
  const choose = (next: ChannelKind): void => {
    test.reset();
    const fresh: Fields['values'] =
      next === 'webhook' ? { secret: newSecret((bytes) => crypto.getRandomValues(bytes)) } : {};
    form.set('values', next === 'slack' && hasSlack ? { way: 'app' } : fresh);
  };
  return (
    <div className={channel && styles.editing}>
      <Form
        form={form}
        submit={channel ? m.save : m.add}
        ready={missing === undefined}
        bare={channel !== undefined}
        onCancel={onDone}
        actions={
          <>
            <Button busy={test.isPending} disabled={missing !== undefined} onClick={() => test.mutate()}>
              {m.sendTest}
            </Button>
            {missing && (
              <Text tone="faint" small>
                {m.missing({ field: missing.label })}
              </Text>
            )}
          </>
        }
      >
        <div className={styles.sides}>
          <Stack gap={12}>
            <SelectField
              label={m.kind}
              {...kindField}
              disabled={channel !== undefined}
              onChange={(event) => {
                choose(event.target.value as ChannelKind);
                void kindField.onChange(event);
              }}
            >
              {kindNames.map(([kind, label]) => (
                <option key={kind} value={kind}>
                  {label}
                </option>
              ))}
            </SelectField>
            <TextField
              label={m.name}
              placeholder={kindName}
              autoComplete="off"
              maxLength={100}
              {...form.field('name')}
            />
            {type === 'slack' && (
              <SlackWayField hasSlack={hasSlack} props={form.field('values.way')} onChange={() => test.reset()} />
            )}
            {fieldsOf(type, values).map((field) =>
              type === 'slack' && wayOf(values) === 'app' ? (
                <SlackChannelField key={`app ${field.key}`} field={field} props={form.field(`values.${field.key}`)} />
              ) : (
                <ValueField
                  key={`${type} ${field.key}`}
                  field={field}
                  value={values[field.key] ?? ''}
                  saved={isSaved ? channel.config[field.key] : undefined}
                  props={form.field(`values.${field.key}`)}
                />
              ),
            )}
            <QuietHoursFields
              value={quietHours}
              timeZone={localZone()}
              onChange={(next) => form.set('quietHours', next, { shouldDirty: true })}
            />
            {channel && <Toggle label={m.enabled} hint={m.enabledHint} {...form.field('enabled')} />}
          </Stack>
          <Steps kind={type} steps={stepsOf(type, values)} hasMail={hasMail} />
        </div>
        {test.data && <TestOutcome result={test.data} />}
        <FormError error={test.error} />
      </Form>
    </div>
  );
}

/** Where the values come from. */
function Steps({
  kind,
  steps,
  hasMail,
}: {
  readonly kind: ChannelKind;
  readonly steps: readonly string[];
  readonly hasMail: boolean;
}) {
  const { name } = kinds[kind];
  return (
    <aside className={styles.help} aria-label={m.setUp({ kind: name })}>
      <h3>{name}</h3>
      {kind === 'email' && !hasMail && <p>{m.mailNeedsServer}</p>}
      {steps.length === 1 ? (
        <p>{steps[0]}</p>
      ) : (
        <ol>
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )}
    </aside>
  );
}

function ValueField({
  field,
  value,
  saved,
  props,
}: {
  readonly field: KindField;
  readonly value: string;
  /** As the server shows it. */
  readonly saved: string | readonly string[] | undefined;
  readonly props: FieldProps;
}) {
  const { key, label, hint, placeholder, secret = false, optional = false, list = false } = field;
  const isKept = secret && typeof saved === 'string';
  const input = (
    <TextField
      label={optional ? m.optional({ field: label }) : label}
      hint={isKept ? m.secretKept({ secret: saved }) : hint}
      mono={!list}
      placeholder={isKept ? m.unchanged : placeholder}
      translate={isKept ? undefined : 'no'}
      autoComplete="off"
      spellCheck={false}
      maxLength={4000}
      {...props}
    />
  );
  if (key !== 'secret' || value === '') return input;
  return (
    <div className={styles.secret}>
      {input}
      <CopyButton text={value} label={m.copySecret} />
    </div>
  );
}
