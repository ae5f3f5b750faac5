import * as m from '../../messages/recovery.ts';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import type { KitForm } from '../../ui/use-form.ts';

/** The one field of a page that a link leads to. */
export function NewPassword({
  form,
  submit,
}: {
  readonly form: KitForm<{ password: string }>;
  readonly submit: string;
}) {
  return (
    <Form form={form} submit={submit} bare>
      <TextField
        label={m.password}
        type="password"
        autoComplete="new-password"
        hint={m.passwordHint}
        maxLength={128}
        focused
        {...form.field('password', {
          required: m.passwordShort,
          minLength: { value: 8, message: m.passwordShort },
        })}
      />
    </Form>
  );
}
