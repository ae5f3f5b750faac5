import { useQueryClient } from '@tanstack/react-query';
import { createScimToken } from '../../features/security/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { expiresAtOf, type Lifetime, lifetimes, usualLifetime } from '../../features/tokens/expiry.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import * as m from '../../messages/provisioning.ts';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

const offered = lifetimes.filter(({ value }) => value !== 'date');

export function NewScimToken({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: { readonly token: string; readonly name: string }) => void;
  readonly onCancel: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const reminder = useReminder(org);
  const form = useForm<{ readonly name: string; readonly lifetime: Lifetime }>({
    start: { name: '', lifetime: usualLifetime },
    save: async ({ name, lifetime }) => {
      const expiresAt = expiresAtOf(lifetime, '', Date.now());
      const created = await createScimToken(org, { name: name.trim(), ...(expiresAt !== undefined && { expiresAt }) });
      await queries.invalidateQueries({ queryKey: ['provisioning', org] });
      onCreated(created);
    },
  });
  const lifetime = form.watch('lifetime');
  return (
    <Form form={form} submit={m.create} onCancel={onCancel}>
      <FieldRow>
        <TextField
          label={m.name}
          focused
          placeholder={m.namePlaceholder}
          autoComplete="off"
          maxLength={100}
          {...form.field('name', { validate: (name) => name.trim() !== '' })}
        />
        <SelectField label={m.expires} hint={lifetime === 'never' ? undefined : reminder} {...form.field('lifetime')}>
          {offered.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
      </FieldRow>
    </Form>
  );
}
