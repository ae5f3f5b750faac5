import { useQueryClient } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { recoverAccount } from '../../features/account/queries.ts';
import * as m from '../../messages/recovery.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { useTitle } from '../../ui/title.ts';
import { useForm } from '../../ui/use-form.ts';
import { isGone, useLinkToken } from './link.ts';
import { NewPassword } from './NewPassword.tsx';

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
      <NewPassword form={form} submit={m.recover} />
    </AuthLayout>
  );
}
