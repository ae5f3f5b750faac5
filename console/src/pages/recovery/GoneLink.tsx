import { Link } from '@tanstack/react-router';
import * as m from '../../messages/recovery.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';

/** A link that was used, replaced, or is too old, and where there is a new one. */
export function GoneLink({ to }: { readonly to: '/forgot-password' | '/settings/account' }) {
  return (
    <AuthLayout title={m.goneTitle} note={m.goneNote}>
      <Link to={to} className={buttonClass('primary')}>
        {m.newLink}
      </Link>
    </AuthLayout>
  );
}
