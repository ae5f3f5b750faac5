import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Role } from '../../features/people/queries.ts';
import { rolesFor } from '../../features/people/roles.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { expiresAtOf, lifetimes, usualLifetime, type Lifetime } from '../../features/tokens/expiry.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import { createToken, type ApiToken, type TokenScope } from '../../features/tokens/queries.ts';
import { hints, names } from '../../messages/roles.ts';
import * as m from '../../messages/tokens.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

type OfferedScope = keyof typeof m.scopes & TokenScope;
const scopes = Object.keys(m.scopes) as OfferedScope[];
const usual: readonly OfferedScope[] = ['org:ci', 'org:read', 'project:read', 'project:releases'];

type Kind = ApiToken['kind'];

/** What somebody with these scopes may make. */
const kindsFor = (access: ReadonlySet<string>): Kind[] => [
  ...(access.has('org:ci') ? (['organization'] as const) : []),
  ...(access.has('org:write') ? (['service'] as const) : []),
  'user',
];

interface Fields {
  readonly name: string;
  readonly kind: Kind;
  readonly scopes: TokenScope[];
  /** Of a service account. */
  readonly role: Role;
  readonly lifetime: Lifetime;
  readonly day: string;
}

/** None where its last day is over. */
function bodyOf({ name, kind, scopes: chosen, role, lifetime, day }: Fields) {
  const expiresAt = expiresAtOf(lifetime, day, Date.now());
  return expiresAt === undefined
    ? undefined
    : {
        name: name.trim(),
        kind,
        expiresAt,
        ...(kind === 'user' && { scopes: chosen }),
        ...(kind === 'service' && { role }),
      };
}

/** A name, whose it is, and what the token may do; never more than its creator may. */
export function NewToken({
  onCreated,
  onCancel,
}: {
  readonly onCreated: (created: { token: string; name: string }) => void;
  readonly onCancel: () => void;
}) {
  const org = useOrg();
  const { access: held, role: ownRole } = useSession().organization;
  const access = new Set(held);
  const kinds = kindsFor(access);
  const queries = useQueryClient();
  const offered = scopes.filter((scope) => access.has(scope));
  const reminder = useReminder(org);
  const [openedAt] = useState(Date.now);
  const form = useForm<Fields>({
    start: {
      name: '',
      kind: kinds[0] ?? 'user',
      scopes: usual.filter((scope) => offered.includes(scope)),
      role: 'member',
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
  const [kind, role, lifetime] = form.watch(['kind', 'role', 'lifetime']);
  return (
    <Form form={form} submit={m.create} onCancel={onCancel}>
      <TextField
        label={m.name}
        focused
        placeholder={m.namePlaceholder}
        autoComplete="off"
        maxLength={64}
        {...form.field('name', { validate: (name) => name.trim() !== '' })}
      />
      {kinds.length > 1 && (
        <ChoiceGroup label={m.kind} layout="lines">
          {kinds.map((each) => (
            <Choice
              key={each}
              type="radio"
              label={m.kinds[each]}
              hint={m.kindHints[each]}
              value={each}
              {...form.field('kind')}
            />
          ))}
        </ChoiceGroup>
      )}
      {kind === 'service' && (
        <SelectField label={m.role} hint={hints[role]} {...form.field('role')}>
          {rolesFor(ownRole ?? '', 'member').map((one) => (
            <option key={one} value={one}>
              {names[one]}
            </option>
          ))}
        </SelectField>
      )}
      {kind === 'user' && (
        <ChoiceGroup label={m.scopesLabel} layout="columns">
          {offered.map((scope) => (
            <Choice
              key={scope}
              label={m.scopes[scope]}
              end={<code>{scope}</code>}
              value={scope}
              {...form.field('scopes', { validate: (chosen, { kind: of }) => of !== 'user' || chosen.length > 0 })}
            />
          ))}
        </ChoiceGroup>
      )}
      <FieldRow>
        <SelectField label={m.expires} hint={lifetime === 'never' ? m.neverHint : reminder} {...form.field('lifetime')}>
          {lifetimes.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {lifetime === 'date' && (
          <TextField
            label={m.lastDay}
            type="date"
            {...form.field('day', {
              required: true,
              shouldUnregister: true,
              validate: (day) => expiresAtOf('date', day, openedAt) !== undefined || m.lastDayInvalid,
            })}
          />
        )}
      </FieldRow>
    </Form>
  );
}
