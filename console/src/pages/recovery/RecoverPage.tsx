import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { recoverAccount } from '../../features/account/queries.ts';
import * as m from '../../messages/recovery.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { Form } from '../../ui/Form.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';
import { isGone, useLinkToken } from './link.ts';

/** A new password and a session, by a link that was made on the host. */
export function RecoverPage() {
  useTitle(m.recoverTitle);
  const token = useLinkToken();
  const router = useRouter();
  const queries = useQueryClient();
  const form = useForm({
    pressable: true,
    start: { password: '' },
    save: async ({ password }) => {
      await recoverAccount({ token, password });
      queries.clear();
      router.history.replace('/settings/account');
    },
  });
  if (token === '' || isGone(form.failure)) {
    return (
      <AuthLayout title={m.goneTitle} note={m.goneRecovery}>
        <Link to="/sign-in" className={buttonClass('normal')}>
          {m.backToSignIn}
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={m.recoverTitle} note={m.recoverNote}>
      <Form form={form} submit={m.recover} bare>
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
    </AuthLayout>
  );
}
