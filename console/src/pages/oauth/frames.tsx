/** These pages while they wait, and where there is nothing more to do. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import * as m from '../../messages/oauth.ts';
import { AuthLayout } from '../../ui/AuthLayout.tsx';
import { buttonClass } from '../../ui/Button.tsx';
import { describeError, Skeleton } from '../../ui/State.tsx';

export function Loading({ title }: { readonly title: string }) {
  return (
    <AuthLayout title={title}>
      <Skeleton rows={4} height={36} label={m.loading} />
    </AuthLayout>
  );
}

export function Broken({ error }: { readonly error: Error }) {
  return <Over title={m.broken}>{describeError(error).message}</Over>;
}

export function Over({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <AuthLayout title={title} note={children}>
      <Link to="/" className={buttonClass('normal')}>
        {m.home}
      </Link>
    </AuthLayout>
  );
}
