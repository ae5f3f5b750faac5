import { useState } from 'react';
import * as m from '../../messages/factors.ts';
import { Button } from '../../ui/Button.tsx';
import { DataRow } from '../../ui/DataList.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { Facts } from '../../ui/Text.tsx';
import { Time } from '../../ui/Time.tsx';
import { useForm } from '../../ui/use-form.ts';
import { type Passkey, renamePasskey } from './queries.ts';

/** One key: what it is called, and when it was made and used. */
export function PasskeyRow({
  passkey,
  onRenamed,
  onRemove,
}: {
  readonly passkey: Passkey;
  readonly onRenamed: () => Promise<void>;
  readonly onRemove: () => void;
}) {
  const { name, dateCreated, lastUsed, isSynced } = passkey;
  const [renaming, setRenaming] = useState(false);
  return (
    <DataRow
      title={<strong translate="no">{name}</strong>}
      facts={
        <Facts>
          {dateCreated !== null && m.created({ when: <Time at={dateCreated} /> })}
          {lastUsed === null ? m.neverUsed : m.lastUsed({ when: <Time at={lastUsed} /> })}
          {isSynced && m.synced}
        </Facts>
      }
      actions={
        !renaming && (
          <>
            <Button size="small" variant="ghost" aria-label={m.renameOf({ name })} onClick={() => setRenaming(true)}>
              {m.rename}
            </Button>
            <Button size="small" variant="ghost" aria-label={m.removeOf({ name })} onClick={onRemove}>
              {m.remove}
            </Button>
          </>
        )
      }
    >
      {renaming && (
        <RenamePasskey
          passkey={passkey}
          onDone={async () => {
            setRenaming(false);
            await onRenamed();
          }}
          onCancel={() => setRenaming(false)}
        />
      )}
    </DataRow>
  );
}

function RenamePasskey({
  passkey: { id, name: before },
  onDone,
  onCancel,
}: {
  readonly passkey: Passkey;
  readonly onDone: () => Promise<void>;
  readonly onCancel: () => void;
}) {
  const form = useForm({
    start: { name: before },
    save: async ({ name }) => {
      await renamePasskey(id, name.trim());
      await onDone();
    },
  });
  return (
    <Form form={form} submit={m.save} bare onCancel={onCancel}>
      <TextField
        label={m.passkeyName}
        focused
        maxLength={100}
        autoComplete="off"
        {...form.field('name', { validate: (name) => name.trim() !== '' || m.passkeyNameMissing })}
      />
    </Form>
  );
}
