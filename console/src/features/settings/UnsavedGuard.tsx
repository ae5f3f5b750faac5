import { useBlocker } from '@tanstack/react-router';
import * as m from '../../messages/unsaved.ts';
import { Confirm } from '../../ui/Confirm.tsx';

/** Asks before a page with changes is left. */
export function UnsavedGuard({ changed }: { readonly changed: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => changed && current.pathname !== next.pathname,
    enableBeforeUnload: () => changed,
    withResolver: true,
  });
  return (
    blocker.status === 'blocked' && (
      <Confirm title={m.title} action={m.leave} onConfirm={() => blocker.proceed()} onClose={() => blocker.reset()}>
        <p>{m.hint}</p>
      </Confirm>
    )
  );
}
