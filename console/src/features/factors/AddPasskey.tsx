import * as m from '../../messages/factors.ts';
import { TextField } from '../../ui/Field.tsx';
import { FieldRow, Form } from '../../ui/Form.tsx';
import { Text } from '../../ui/Text.tsx';
import { useForm } from '../../ui/use-form.ts';
import { createPasskey } from './browser.ts';
import { PasswordField } from './fields.tsx';
import { addPasskey, beginPasskey } from './queries.ts';

/** Asks the password, then the browser. */
export function AddPasskey({
  hasPassword,
  onAdded,
  onCancel,
}: {
  readonly hasPassword: boolean;
  readonly onAdded: () => Promise<void>;
  readonly onCancel: () => void;
}) {
  const form = useForm({
    start: { name: m.passkeyDefault, password: '' },
    save: async ({ name, password }) => {
      const response = await createPasskey(await beginPasskey(hasPassword ? { password } : {}));
      if (!response) throw new Error(m.passkeyCancelled);
      await addPasskey({ name: name.trim(), response });
      await onAdded();
    },
  });
  return (
    <Form form={form} submit={m.addPasskey} onCancel={onCancel}>
      <FieldRow>
        <TextField
          label={m.passkeyName}
          hint={m.passkeyNameHint}
          maxLength={100}
          autoComplete="off"
          {...form.field('name', { validate: (name) => name.trim() !== '' || m.passkeyNameMissing })}
        />
        {hasPassword && <PasswordField focused {...form.field('password', { required: m.passwordMissing })} />}
      </FieldRow>
      {!hasPassword && <Text as="p">{m.recentOnly}</Text>}
    </Form>
  );
}
