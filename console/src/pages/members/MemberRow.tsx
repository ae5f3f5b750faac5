import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Member, type Role, type Team, updateMember } from '../../features/people/queries.ts';
import { useOrg } from '../../features/session/organization.ts';
import { Avatar } from '../../features/triage/Avatar.tsx';
import { Button } from '../../ui/Button.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Time } from '../../ui/Time.tsx';
import { toast } from '../../ui/toasts.ts';
import styles from './MembersPage.module.css';
import { roleNames, rolesFor } from './roles.ts';

/** Somebody with role and teams; what the reader may change is there to be changed. */
export function MemberRow({
  member,
  teams,
  isSelf,
  ownRole,
  mayManage,
  renewing,
  onRenew,
  onRemove,
}: {
  readonly member: Member;
  readonly teams: readonly Team[];
  readonly isSelf: boolean;
  readonly ownRole: string;
  readonly mayManage: boolean;
  readonly renewing: boolean;
  readonly onRenew: () => void;
  readonly onRemove: () => void;
}) {
  const org = useOrg();
  const queries = useQueryClient();
  const change = useMutation({
    mutationFn: (role: Role) => updateMember(org, member.id, { role }),
    onSuccess: async ({ role }) => {
      const before = member.role;
      toast(`${member.name} is ${roleNames[role].toLowerCase()} now`, {
        action: { label: 'Undo', run: () => change.mutate(before) },
      });
      await queries.invalidateQueries({ queryKey: isSelf ? [] : ['members', org] });
    },
    onError: (error) => toast(error.message, { kind: 'failed' }),
  });
  const { name, email, pending, expired, expiresAt, inviterName } = member;
  const choices = mayManage ? rolesFor(ownRole, member.role) : [];
  const names = teams.filter(({ slug }) => member.teams.includes(slug)).map(({ slug }) => `#${slug}`);
  return (
    <li className={styles.row}>
      <Avatar who={pending ? null : { type: 'user', name, email }} />
      <div className={styles.what}>
        <span className={styles.name}>
          <strong>{name}</strong>
          {isSelf && <span className={styles.you}>you</span>}
        </span>
        <span className={styles.details}>
          {pending ? (
            <>
              {inviterName ? `invited by ${inviterName}, ` : 'invited, '}
              {expired ? (
                <span className={styles.expired}>the link has expired</span>
              ) : (
                <>
                  the link is good until <Time at={expiresAt ?? ''} />
                </>
              )}
            </>
          ) : (
            <>
              {email} <span className={styles.handle}>@{member.handle}</span>
            </>
          )}
          {names.length > 0 && <span className={styles.handle}> {names.join(' ')}</span>}
        </span>
      </div>
      {choices.length > 1 ? (
        <InlineSelect
          label={`Role of ${name}`}
          value={change.isPending ? change.variables : member.role}
          disabled={change.isPending}
          onChange={(event) => change.mutate(event.target.value as Role)}
        >
          {choices.map((role) => (
            <option key={role} value={role}>
              {roleNames[role]}
            </option>
          ))}
        </InlineSelect>
      ) : (
        <span className={styles.role}>{roleNames[member.role]}</span>
      )}
      {pending && choices.length > 1 && (
        <Button size="small" variant="ghost" busy={renewing} onClick={onRenew} aria-label={`New link for ${email}`}>
          New link
        </Button>
      )}
      {(isSelf || choices.length > 1) && (
        <Button
          size="small"
          variant="ghost"
          onClick={onRemove}
          aria-label={
            isSelf ? 'Leave the organisation' : `${pending ? 'Take back the invitation of' : 'Remove'} ${name}`
          }
        >
          {isSelf ? 'Leave' : pending ? 'Take back' : 'Remove'}
        </Button>
      )}
    </li>
  );
}
