import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { expiresAtOf, lifetimes, usualLifetime, type Lifetime } from '../../features/tokens/expiry.ts';
import { useReminder } from '../../features/tokens/use-reminder.ts';
import { createToken, type ApiToken, type TokenScope } from '../../features/tokens/queries.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import styles from './TokensPage.module.css';

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
  const [kind, setKind] = useState<Kind>('organization');
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<TokenScope>>(
    () => new Set(usual.filter((scope) => offered.some((each) => each.scope === scope))),
  );
  const [lifetime, setLifetime] = useState<Lifetime>(usualLifetime);
  const [day, setDay] = useState('');
  const reminder = useReminder(org);
  const [openedAt] = useState(Date.now);
  const create = useMutation({
    mutationFn: (expiresAt: string | null) =>
      createToken(org, { name: name.trim(), kind, expiresAt, ...(kind === 'user' && { scopes: [...chosen] }) }),
    onSuccess: async (created) => {
      await queries.invalidateQueries({ queryKey: ['tokens', org] });
      onCreated(created);
    },
  });
  const isPast = day !== '' && expiresAtOf('date', day, openedAt) === undefined;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        const expiresAt = expiresAtOf(lifetime, day, Date.now());
        if (expiresAt !== undefined) create.mutate(expiresAt);
      }}
    >
      <TextField
        label="Name"
        focused
        value={name}
        onChange={(event) => setName(event.target.value)}
        placeholder="CI of shop"
        autoComplete="off"
        maxLength={64}
      />
      <fieldset>
        <legend className={styles.legend}>Whose token</legend>
        {kinds.map((each) => (
          <label key={each.kind} className={styles.kind}>
            <input type="radio" name="kind" checked={kind === each.kind} onChange={() => setKind(each.kind)} />
            <span>
              {each.label}
              <span className={styles.hint}>{each.hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      {kind === 'user' && (
        <fieldset>
          <legend className={styles.legend}>This token may</legend>
          <div className={styles.checks}>
            {offered.map(({ scope, label }) => (
              <label key={scope} className={styles.scope}>
                <input
                  type="checkbox"
                  checked={chosen.has(scope)}
                  onChange={(event) =>
                    setChosen(
                      event.target.checked
                        ? new Set([...chosen, scope])
                        : new Set([...chosen].filter((each) => each !== scope)),
                    )
                  }
                />
                <span>{label}</span>
                <code>{scope}</code>
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <div className={styles.end}>
        <SelectField
          label="Expires"
          value={lifetime}
          hint={lifetime === 'never' ? 'It works until it is revoked.' : reminder}
          onChange={(event) =>
            setLifetime(lifetimes.find(({ value }) => value === event.target.value)?.value ?? lifetime)
          }
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
            value={day}
            onChange={(event) => setDay(event.target.value)}
            error={isPast ? 'Choose a day to come.' : undefined}
          />
        )}
      </div>
      <FormError error={create.error} />
      <div className={formStyles.row}>
        <Button
          type="submit"
          variant="primary"
          busy={create.isPending}
          disabled={
            name.trim() === '' || (kind === 'user' && chosen.size === 0) || (lifetime === 'date' && (!day || isPast))
          }
        >
          Create token
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
