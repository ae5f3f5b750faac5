import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { expiresAtOf, lifetimes, usualLifetime, type Lifetime } from '../../features/tokens/expiry.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import { createToken, type ApiToken, type TokenScope } from '../../features/tokens/queries.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

const scopes: readonly { readonly scope: TokenScope; readonly label: string }[] = [
  { scope: 'org:ci', label: 'Upload source maps and releases' },
  { scope: 'org:read', label: 'Read the organisation' },
  { scope: 'project:read', label: 'Read projects' },
  { scope: 'project:write', label: 'Change projects and keys' },
  { scope: 'project:admin', label: 'Delete projects and keys' },
  { scope: 'project:releases', label: 'Manage releases' },
  { scope: 'event:read', label: 'Read issues and events' },
  { scope: 'event:write', label: 'Resolve and archive issues' },
];
const usual: readonly TokenScope[] = ['org:ci', 'org:read', 'project:read', 'project:releases'];

type Kind = ApiToken['kind'];

const kinds: readonly { readonly kind: Kind; readonly label: string; readonly hint: string }[] = [
  {
    kind: 'organization',
    label: 'Of the organisation',
    hint: 'For builds: uploads source maps and makes releases, knows this address. Can be kept when its maker leaves.',
  },
  { kind: 'user', label: 'Of yourself', hint: 'For scripts that do what you may, within what you choose below.' },
];

interface Fields {
  readonly name: string;
  readonly kind: Kind;
  readonly scopes: TokenScope[];
  readonly lifetime: Lifetime;
  readonly day: string;
}

/** None where its last day is over. */
function bodyOf({ name, kind, scopes: chosen, lifetime, day }: Fields) {
  const expiresAt = expiresAtOf(lifetime, day, Date.now());
  return expiresAt === undefined
    ? undefined
    : { name: name.trim(), kind, expiresAt, ...(kind === 'user' && { scopes: chosen }) };
}

/** Whose it is, a name, and what the token may do; never more than its maker may. */
export function NewToken({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: { token: string; name: string }) => void;
  readonly onCancel: () => void;
}) {
  const org = useOrg();
  const access = new Set(useSession().organization.access);
  const queries = useQueryClient();
  const offered = scopes.filter(({ scope }) => access.size === 0 || access.has(scope));
  const reminder = useReminder(org);
  const [openedAt] = useState(Date.now);
  const form = useForm<Fields>({
    start: {
      name: '',
      kind: 'organization',
      scopes: usual.filter((scope) => offered.some((each) => each.scope === scope)),
      lifetime: usualLifetime,
      day: '',
    },
    save: async (values) => {
      const body = bodyOf(values);
      if (!body) return;
      const created = await createToken(org, body);
      await queries.invalidateQueries({ queryKey: ['tokens', org] });
      onCreated(created);
    },
  });
  const [kind, lifetime] = form.watch(['kind', 'lifetime']);
  return (
    <Form form={form} submit="Create token" onCancel={onCancel}>
      <TextField
        label="Name"
        focused
        placeholder="CI of shop"
        autoComplete="off"
        maxLength={64}
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
      <ChoiceGroup label="Whose token" layout="lines">
        {kinds.map((each) => (
          <Choice
            key={each.kind}
            type="radio"
            label={each.label}
            hint={each.hint}
            value={each.kind}
            {...form.field('kind')}
          />
        ))}
      </ChoiceGroup>
      {kind === 'user' && (
        <ChoiceGroup label="This token may" layout="columns">
          {offered.map(({ scope, label }) => (
            <Choice
              key={scope}
              label={label}
              end={<code>{scope}</code>}
              value={scope}
              {...form.field('scopes', { validate: (chosen, { kind: of }) => of !== 'user' || chosen.length > 0 })}
            />
          ))}
        </ChoiceGroup>
      )}
      <FieldRow>
        <SelectField
          label="Expires"
          hint={lifetime === 'never' ? 'It works until it is revoked.' : reminder}
          {...form.field('lifetime')}
        >
          {lifetimes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {lifetime === 'date' && (
          <TextField
            label="Last day"
            type="date"
            {...form.field('day', {
              required: true,
              shouldUnregister: true,
              validate: (day) => expiresAtOf('date', day, openedAt) !== undefined || 'Choose a day to come.',
            })}
          />
        )}
      </FieldRow>
    </Form>
  );
}
