import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../features/people/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { tokensQuery } from '../../features/tokens/queries.ts';
import * as m from '../../messages/members.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { Toggle } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';

/** Asks before a membership ends, and whether builds may keep the tokens that the person created. */
export function RemoveMember({
  member,
  isSelf,
  busy,
  error,
  onConfirm,
  onClose,
}: {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: (keepBuildTokens: boolean) => void;
  readonly onClose: () => void;
}) {
  const { organization } = useSession();
  const [keeps, setKeeps] = useState(false);
  const mayKeep = organization.access.includes('member:write');
  const tokens = useQuery({ ...tokensQuery(useOrg()), enabled: mayKeep });
  const built = (tokens.data ?? []).filter(
    ({ kind, createdBy }) => kind === 'organization' && createdBy.email === member.email,
  );
  const count = built.length;
  return (
    <Confirm
      title={isSelf ? m.leaveAsk({ organization: organization.name }) : m.removeAsk({ name: member.name })}
      action={isSelf ? m.leave : m.remove}
      busy={busy || (mayKeep && tokens.isPending)}
      onConfirm={() => onConfirm(keeps)}
      onClose={onClose}
    >
      <p>{isSelf ? m.leaveWhat : m.removeWhat}</p>
      {count > 0 && (
        <Toggle
          label={(isSelf ? m.keepOwn : m.keepTheirs)({ count })}
          hint={m.keepHint({ names: built.map(({ name }) => name).join(', ') })}
          checked={keeps}
          onChange={(event) => setKeeps(event.target.checked)}
        />
      )}
      <FormError error={error} />
    </Confirm>
  );
}
