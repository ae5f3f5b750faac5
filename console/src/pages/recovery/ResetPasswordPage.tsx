import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { resetPassword } from '../../features/account/queries.ts';
import * as m from '../../messages/recovery.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';
import { GoneLink } from './GoneLink.tsx';
import { isGone, useLinkToken } from './link.ts';
import { NewPassword } from './NewPassword.tsx';

/** A new password, by the link of a mail. */
export function ResetPasswordPage() {
  useTitle(m.resetTitle);
  const token = useLinkToken();
  const queries = useQueryClient();
  const [email, setEmail] = useState<string>();
  const form = useForm({
    pressable: true,
    start: { password: '' },
    save: async ({ password }) => {
      const done = await resetPassword({ token, password });
      // Who was signed in here is not any more.
      queries.clear();
      setEmail(done.email);
    },
  });
  if (token === '' || isGone(form.failure)) return <GoneLink to="/forgot-password" />;
  if (email !== undefined) {
    return (
      <AuthLayout title={m.doneTitle} note={m.doneNote({ email })}>
        <Link to="/sign-in" className={buttonClass('primary')}>
          {m.signIn}
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={m.resetTitle} note={m.resetNote}>
      <NewPassword form={form} submit={m.setPassword} />
    </AuthLayout>
  );
}
