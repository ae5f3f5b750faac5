import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Member } from '../../features/people/queries.ts';
import { useOrg, useSession } from '../../features/session/organization.ts';
import { tokensQuery } from '../../features/tokens/queries.ts';
import { Confirm } from '../../ui/Confirm.tsx';
import { Toggle } from '../../ui/Field.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { plural, pluralForm } from '../../ui/numbers.ts';

/** Asks before a membership ends, and whether builds may go on with the tokens that the person made. */
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
  const whose = isSelf ? 'your' : 'their';
  return (
    <Confirm
      title={isSelf ? `Leave ${organization.name}?` : `Remove ${member.name}?`}
      action={isSelf ? 'Leave' : 'Remove'}
      busy={busy || (mayKeep && tokens.isPending)}
      onConfirm={() => onConfirm(keeps)}
      onClose={onClose}
    >
      <p>
        {isSelf ? 'Your' : 'Their'} issues become unassigned, and {whose} API tokens stop working. Comments and activity
        keep {whose} name.
      </p>
      {built.length > 0 && (
        <Toggle
          label={`Keep ${plural(built.length, 'build token')} that ${isSelf ? 'you' : 'they'} made`}
          hint={`${built.map(({ name }) => name).join(', ')}. Builds that use ${pluralForm(built.length, 'it', 'them')} fail otherwise. If kept, anyone with a copy can still use ${pluralForm(built.length, 'it', 'them')}.`}
          checked={keeps}
          onChange={(event) => setKeeps(event.target.checked)}
        />
      )}
      <FormError error={error} />
    </Confirm>
  );
}
