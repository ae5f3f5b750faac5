import { AppReady } from '@culprit/react';
import { Outlet, useRouterState } from '@tanstack/react-router';

/** The app is up once its first page is drawn: from then on a failure takes the place of its page only. */
export function Root() {
  const up = useRouterState({ select: (state) => state.resolvedLocation !== undefined });
  return (
    <>
      <Outlet />
      {up && <AppReady />}
    </>
  );
}
