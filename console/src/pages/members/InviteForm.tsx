import { useQueryClient } from '@tanstack/react-query';
import { inviteMember, type Invited, type Role, type Team } from '../../features/people/queries.ts';
import { rolesFor } from '../../features/people/roles.ts';
import { useOrg } from '../../features/session/organization.ts';
import * as m from '../../messages/members.ts';
import { hints, names } from '../../messages/roles.ts';
import { Choice, ChoiceGroup } from '../../ui/Choice.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useForm } from '../../ui/use-form.ts';

interface Fields {
  readonly email: string;
  readonly role: Role;
  readonly teams: string[];
}

/** Whom to invite, in which role, and into which teams. */
export function InviteForm({
  teams,
  needsTeam,
  ownRole,
  onInvited,
  onCancel,
}: {
  readonly teams: readonly Team[];
  /** Whether nobody can be invited into none. */
  readonly needsTeam: boolean;
  /** Of who invites. */
  readonly ownRole: string;
  readonly onInvited: (invited: Invited) => void;
  readonly onCancel: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const form = useForm<Fields>({
    start: { email: '', role: 'member', teams: [] },
    save: async ({ email, role, teams: chosen }) => {
      const invited = await inviteMember(org, { email: email.trim(), role, teams: chosen });
      await queries.invalidateQueries({ queryKey: ['members', org] });
      onInvited(invited);
    },
  });
  return (
    <Form form={form} submit={m.createLink} onCancel={onCancel}>
      <TextField
        label={m.email}
        type="email"
        focused
        autoComplete="off"
        placeholder="jane@example.com"
        maxLength={254}
        {...form.field('email', { validate: (email) => /^[^\s@]+@[^\s@]+$/.test(email.trim()) || m.emailInvalid })}
      />
      <ChoiceGroup label={m.role} layout="lines">
        {rolesFor(ownRole, 'member').map((one) => (
          <Choice key={one} type="radio" label={names[one]} hint={hints[one]} value={one} {...form.field('role')} />
        ))}
      </ChoiceGroup>
      {teams.length > 0 && (
        <ChoiceGroup label={m.teams}>
          {teams.map(({ slug }) => (
            <Choice
              key={slug}
              label={<span translate="no">#{slug}</span>}
              value={slug}
              {...form.field('teams', { validate: (chosen) => !needsTeam || chosen.length > 0 })}
            />
          ))}
        </ChoiceGroup>
      )}
    </Form>
  );
}
