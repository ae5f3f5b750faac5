'use client';
/**
 * For `error.tsx` and `global-error.tsx`: what they show, nobody hears of, because only the framework's own screen throws
 * on to where the SDK listens.
 */
import { LoadFailure } from '@culprit/react';
import { type ReactNode, useCallback, useMemo, useSyncExternalStore } from 'react';

/** As `captureException` of `@sentry/nextjs`: reports an error and returns the id of its event. */
export type Capture = (
  error: unknown,
  hint?: { readonly mechanism?: { readonly handled?: boolean; readonly type?: string } },
) => string;

/** Event ids. An error is shown again when its component is mounted again, and is one event for all that. */
const reported = new WeakMap<object, string>();

/** Reports the error that a boundary shows, once; returns the id of its event after the first render. */
export function useCaptured(error: unknown, capture: Capture): string | undefined {
  const key = useMemo(() => (typeof error === 'object' && error !== null ? error : { error }), [error]);
  const report = useCallback(
    (changed: () => void) => {
      if (!reported.has(key)) {
        reported.set(
          key,
          capture(error, { mechanism: { handled: false, type: 'auto.function.nextjs.error_boundary' } }),
        );
        changed();
      }
      return () => undefined;
    },
    [key, error, capture],
  );
  return useSyncExternalStore(
    report,
    () => reported.get(key),
    () => undefined,
  );
}

export interface FailureScreenProps {
  readonly error: unknown;
  readonly capture: Capture;
}

/** The load-failure screen for `global-error.tsx`, with the digest where there is one, and the id of the event. */
export function FailureScreen({ error, capture }: FailureScreenProps): ReactNode {
  return <LoadFailure error={error} eventId={useCaptured(error, capture)} />;
}
