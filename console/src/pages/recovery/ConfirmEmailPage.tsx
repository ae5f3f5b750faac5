import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { confirmEmail } from '../../features/account/queries.ts';
import * as m from '../../messages/recovery.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { Button, buttonClass } from '../../ui/Button.tsx';
import { FormError } from '../../ui/FormError.tsx';
import { useTitle } from '../../ui/title.ts';
import { GoneLink } from './GoneLink.tsx';
import { isGone, useLinkToken } from './link.ts';

/** A new address is confirmed by a click: programs that look at the links of a mail change nothing. */
export function ConfirmEmailPage() {
  useTitle(m.confirmTitle);
  const token = useLinkToken();
  const queries = useQueryClient();
  const confirm = useMutation({ mutationFn: () => confirmEmail(token), onSuccess: () => queries.clear() });
  if (token === '' || isGone(confirm.error)) return <GoneLink to="/settings/account" />;
  if (confirm.data) {
    return (
      <AuthLayout title={m.confirmedTitle} note={m.confirmedNote({ email: confirm.data.email })}>
        <Link to="/settings/account" className={buttonClass('primary')}>
          {m.toAccount}
        </Link>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={m.confirmTitle} note={m.confirmNote}>
      <FormError error={confirm.error} />
      <Button variant="primary" busy={confirm.isPending} onClick={() => confirm.mutate()}>
        {m.confirm}
      </Button>
    </AuthLayout>
  );
}
