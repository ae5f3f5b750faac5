import type { Member, Role } from '../../features/people/queries.ts';
import { Avatar } from '../../features/triage/Avatar.tsx';
import * as m from '../../messages/members.ts';
import { names } from '../../messages/roles.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { InlineSelect } from '../../ui/Field.tsx';
import { Flag } from '../../ui/Flag.tsx';
import { Facts, Text } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';

/** A person with role and teams. What the reader may change of them can be changed here. */
export function MemberRow({
  member,
  role,
  choices,
  isSelf,
  isOwn = false,
  changing,
  renewing,
  onRole,
  onRenew,
  onRemove,
}: {
  readonly member: Member;
  /** The one that is shown, while another one is on its way to be saved. */
  readonly role: Role;
  /** The roles that the reader may choose for this person. */
  readonly choices: readonly Role[];
  readonly isSelf: boolean;
  /** An invitation by the reader, who can invite and change nobody. */
  readonly isOwn?: boolean;
  readonly changing: boolean;
  readonly renewing: boolean;
  readonly onRole: (role: Role) => void;
  readonly onRenew: () => void;
  readonly onRemove: () => void;
}) {
  const { name, email, pending, expired, expiresAt, inviterName, handle, teams } = member;
  const mayChange = choices.length > 1;
  const removal = isSelf
    ? { text: m.leave, label: m.leaveLabel }
    : pending
      ? { text: m.revoke, label: m.revokeOf({ name }) }
      : { text: m.remove, label: m.removeOf({ name }) };
  return (
    <DataRow
      lead={<Avatar who={pending ? null : { type: 'user', name, email }} />}
      title={
        <>
          <strong translate="no">{name}</strong> {isSelf && <Flag kind="plain">{m.you}</Flag>}
        </>
      }
      facts={
        <Facts>
          {pending && inviterName && m.invitedBy({ name: inviterName })}
          {pending &&
            (expired ? (
              <Text tone="warning">{m.linkExpired}</Text>
            ) : (
              m.linkExpires({ when: <Time at={expiresAt ?? ''} /> })
            ))}
          {!pending && <span translate="no">{email}</span>}
          {!pending && <span translate="no">@{handle}</span>}
          {teams.length > 0 && <span translate="no">{teams.map((slug) => `#${slug}`).join(' ')}</span>}
        </Facts>
      }
      actions={
        <>
          {mayChange ? (
            <InlineSelect
              label={m.roleOf({ name })}
              value={role}
              disabled={changing}
              onChange={(event) => onRole(event.target.value as Role)}
            >
              {choices.map((each) => (
                <option key={each} value={each}>
                  {names[each]}
                </option>
              ))}
            </InlineSelect>
          ) : (
            <Text small>{names[role]}</Text>
          )}
          {pending && (mayChange || isOwn) && (
            <Button size="small" variant="ghost" busy={renewing} onClick={onRenew} aria-label={m.newLinkFor({ email })}>
              {m.newLink}
            </Button>
          )}
          {(isSelf || mayChange || isOwn) && (
            <Button size="small" variant="ghost" onClick={onRemove} aria-label={removal.label}>
              {removal.text}
            </Button>
          )}
        </>
      }
    />
  );
}
