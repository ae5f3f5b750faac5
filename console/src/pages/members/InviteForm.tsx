import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { inviteMember, type Invited, type Role, type Team } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Button } from '../../ui/Button.tsx';
import { SelectField, TextField } from '../../ui/Field.tsx';
import formStyles from '../../ui/Form.module.css';
import { FormError } from '../../ui/FormError.tsx';
import styles from './MembersPage.module.css';
import { roleNames, rolesFor } from './roles.ts';

/** Whom to invite, as what, and into which teams. */
export function InviteForm({
  teams,
  mayMakeOwners,
  onInvited,
  onCancel,
}: {
  readonly teams: readonly Team[];
  readonly mayMakeOwners: boolean;
  readonly onInvited: (invited: Invited) => void;
  readonly onCancel: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const invite = useMutation({
    mutationFn: () => inviteMember(org, { email: email.trim(), role, teams: [...chosen] }),
    onSuccess: async (invited) => {
      await queries.invalidateQueries({ queryKey: ['members', org] });
      onInvited(invited);
    },
  });
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        invite.mutate();
      }}
    >
      <div className={styles.pair}>
        <TextField
          label="E-mail"
          type="email"
          focused
          autoComplete="off"
          placeholder="jane@example.com"
          maxLength={254}
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <SelectField label="Role" value={role} onChange={(event) => setRole(event.target.value as Role)}>
          {rolesFor(mayMakeOwners ? 'owner' : 'admin', 'member').map((one) => (
            <option key={one} value={one}>
              {roleNames[one]}
            </option>
          ))}
        </SelectField>
      </div>
      {teams.length > 0 && (
        <fieldset>
          <legend className={styles.legend}>Teams</legend>
          <div className={styles.checks}>
            {teams.map(({ slug }) => (
              <label key={slug} className={styles.check}>
                <input
                  type="checkbox"
                  checked={chosen.has(slug)}
                  onChange={(event) =>
                    setChosen(
                      event.target.checked
                        ? new Set([...chosen, slug])
                        : new Set([...chosen].filter((each) => each !== slug)),
                    )
                  }
                />
                #{slug}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      <FormError error={invite.error} />
      <div className={formStyles.row}>
        <Button type="submit" variant="primary" busy={invite.isPending} disabled={email.trim() === ''}>
          Make the link
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
