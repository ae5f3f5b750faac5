import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as m from '../../messages/factors.ts';
import { Button } from '../../ui/Button.tsx';
import { Confirm } from '../../ui/Confirm.tsx';
import { DataList } from '../../ui/DataList.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { Stack } from '../../ui/Layout.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { Section } from '../../ui/Page.tsx';
import { QueryView } from '../../ui/QueryView.tsx';
import { toast } from '../../ui/toasts.ts';
import { Empty } from '../places/Empty.tsx';
import { AddPasskey } from './AddPasskey.tsx';
import { hasPasskeys } from './browser.ts';
import { noPasskeys } from './empty.ts';
import { PasswordField } from './fields.tsx';
import { PasskeyRow } from './PasskeyRow.tsx';
import { type Passkey, type Passkeys, passkeysQuery, removePasskey } from './queries.ts';

/** Why none can be added here; undefined where it can. */
function hindrance({ available, origin }: Passkeys) {
  if (!available) return m.passkeysNeedHttps({ address: origin, setting: 'CULPRIT_URL' });
  if (origin !== location.origin) {
    return m.passkeysElsewhere({ address: origin, link: (text) => <a href={`${origin}/settings/account`}>{text}</a> });
  }
  return hasPasskeys() ? undefined : m.passkeysNoBrowser;
}

/** Keys of the reader that sign in by themselves. */
export function PasskeysSection({
  hasPassword,
  onAdded,
}: {
  readonly hasPassword: boolean;
  readonly onAdded?: () => void;
}) {
  const queries = useQueryClient();
  const passkeys = useQuery(passkeysQuery);
  const [adding, setAdding] = useState(false);
  const [removing, setRemoving] = useState<Passkey>();
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey: ['account'] });
  const found = passkeys.data;
  const hindered = found && hindrance(found);
  const added = async (): Promise<void> => {
    setAdding(false);
    toast(m.passkeyAdded);
    await refresh();
    onAdded?.();
  };
  return (
    <Section
      title={m.passkeys}
      note={m.passkeysNote}
      actions={
        found &&
        hindered === undefined &&
        !adding && (
          <Button size="small" onClick={() => setAdding(true)}>
            {m.addPasskey}
          </Button>
        )
      }
    >
      {hindered !== undefined && <Notice tone="warning">{hindered}</Notice>}
      {adding && <AddPasskey hasPassword={hasPassword} onAdded={added} onCancel={() => setAdding(false)} />}
      <QueryView
        query={passkeys}
        loading={m.passkeysLoading}
        failed={m.passkeysFailed}
        isEmpty={({ passkeys: all }) => all.length === 0}
        empty={hindered === undefined && !adding && !onAdded && <Empty of={noPasskeys} />}
      >
        {({ passkeys: all }) => (
          <DataList label={m.passkeys}>
            {all.map((passkey) => (
              <PasskeyRow
                key={passkey.id}
                passkey={passkey}
                onRenamed={refresh}
                onRemove={() => setRemoving(passkey)}
              />
            ))}
          </DataList>
        )}
      </QueryView>
      {removing && (
        <RemovePasskey
          passkey={removing}
          hasPassword={hasPassword}
          onRemoved={refresh}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </Section>
  );
}

function RemovePasskey({
  passkey: { id, name },
  hasPassword,
  onRemoved,
  onClose,
}: {
  readonly passkey: Passkey;
  readonly hasPassword: boolean;
  readonly onRemoved: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const [password, setPassword] = useState('');
  const remove = useMutation({
    mutationFn: () => removePasskey(id, hasPassword ? { password } : {}),
    onSuccess: async () => {
      onClose();
      toast(m.removed);
      await onRemoved();
    },
  });
  return (
    <Confirm
      title={m.removeAsk}
      action={m.remove}
      busy={remove.isPending}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <Stack gap={12}>
        <p>{m.removeWhat({ name })}</p>
        {hasPassword ? (
          <PasswordField required value={password} onChange={(event) => setPassword(event.target.value)} />
        ) : (
          <p>{m.recentOnly}</p>
        )}
        <FormError error={remove.error} />
      </Stack>
    </Confirm>
  );
}
