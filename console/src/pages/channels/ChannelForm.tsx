import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  configOf,
  kindNames,
  kinds,
  missingField,
  newSecret,
  valuesOf,
  type ChannelKind,
  type KindField,
} from '../../features/channels/kinds.ts';
import { saveChannel, testUnsavedChannel, type Channel } from '../../features/channels/queries.ts';
import { localZone, QuietHoursFields } from '../../features/notifications/QuietHoursFields.tsx';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { SelectField, TextField, Toggle } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './ChannelsPage.module.css';
import { TestOutcome } from './TestOutcome.tsx';

/** Makes a channel, or changes one. It can be tried out before it is saved. */
export function ChannelForm({
  channel,
  hasMail,
  onDone,
}: {
  readonly channel?: Channel;
  readonly hasMail: boolean;
  readonly onDone: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [type, setType] = useState<ChannelKind>(channel?.type ?? 'slack');
  const [name, setName] = useState(channel?.name ?? '');
  const [values, setValues] = useState<Readonly<Record<string, string>>>(channel ? valuesOf(channel) : {});
  const [enabled, setEnabled] = useState(channel?.enabled ?? true);
  const [quietHours, setQuietHours] = useState(channel?.quietHours ?? null);
  const { fields, steps, name: kindName } = kinds[type];
  const config = configOf(type, values);
  const missing = missingField(type, values, channel !== undefined);
  const test = useMutation({
    mutationFn: () => testUnsavedChannel(org, { type, config, ...(channel && { id: channel.id }) }),
  });
  const save = useMutation({
    mutationFn: () =>
      saveChannel(org, { type, name: name.trim() || kindName, config, enabled, quietHours }, channel?.id),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: ['channels', org] });
      toast(channel ? 'Channel saved' : 'Channel added');
    },
  });
  const set = (key: string, value: string): void => setValues((before) => ({ ...before, [key]: value }));
  const choose = (next: ChannelKind): void => {
    setType(next);
    test.reset();
    save.reset();
    setValues(next === 'webhook' ? { secret: newSecret((bytes) => crypto.getRandomValues(bytes)) } : {});
  };
  return (
    <form
      className={styles.form}
      aria-label={channel ? `Edit ${channel.name}` : 'New channel'}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className={styles.fields}>
        <SelectField
          label="Kind"
          value={type}
          disabled={channel !== undefined}
          onChange={(event) => choose(event.target.value as ChannelKind)}
        >
          {kindNames.map(([kind, label]) => (
            <option key={kind} value={kind}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Name"
          value={name}
          placeholder={kindName}
          onChange={(event) => setName(event.target.value)}
          autoComplete="off"
          maxLength={100}
        />
        {fields.map((field) => (
          <ValueField
            key={`${type} ${field.key}`}
            field={field}
            value={values[field.key] ?? ''}
            saved={channel?.config[field.key]}
            onChange={(value) => set(field.key, value)}
          />
        ))}
        <QuietHoursFields value={quietHours} timeZone={localZone()} onChange={setQuietHours} />
        {channel && (
          <Toggle
            label="Switched on"
            hint="What is to go to a channel that is off is not sent."
            checked={enabled}
            onChange={(event) => setEnabled(event.target.checked)}
          />
        )}
      </div>
      <aside className={styles.help} aria-label={`How to set up ${kindName}`}>
        <h3>{kindName}</h3>
        {type === 'email' && !hasMail && (
          <p>
            No mail server is set: <code>CULPRIT_SMTP_URL</code>. The channel can be saved and sends nothing until then.
          </p>
        )}
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
      <div className={`${formStyles.row} ${styles.full}`}>
        <Button
          type="submit"
          variant="primary"
          size="small"
          busy={save.isPending}
          disabled={missing !== undefined}
          {...(missing && { tip: `${missing.label} is missing` })}
        >
          {channel ? 'Save' : 'Add channel'}
        </Button>
        <Button size="small" busy={test.isPending} disabled={missing !== undefined} onClick={() => test.mutate()}>
          Send a test
        </Button>
        <Button size="small" variant="ghost" onClick={onDone}>
          Cancel
        </Button>
      </div>
      {test.data && <TestOutcome result={test.data} />}
      {(save.error ?? test.error) && (
        <div className={styles.full}>
          <FormError error={save.error ?? test.error} />
        </div>
      )}
    </form>
  );
}

function ValueField({
  field,
  value,
  saved,
  onChange,
}: {
  readonly field: KindField;
  readonly value: string;
  /** As the server shows it. */
  readonly saved: string | readonly string[] | undefined;
  readonly onChange: (value: string) => void;
}) {
  const { label, hint, placeholder, secret = false, optional = false, list = false } = field;
  const isKept = secret && typeof saved === 'string';
  const input = (
    <TextField
      label={optional ? `${label} (optional)` : label}
      hint={isKept ? `${saved} is kept while this is empty.` : hint}
      mono={!list}
      value={value}
      placeholder={isKept ? 'unchanged' : placeholder}
      onChange={(event) => onChange(event.target.value)}
      autoComplete="off"
      spellCheck={false}
      maxLength={4000}
    />
  );
  if (field.key !== 'secret' || value === '') return input;
  return (
    <div className={styles.secret}>
      {input}
      <CopyButton text={value} label="Copy secret" />
    </div>
  );
}
