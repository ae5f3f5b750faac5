import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

export interface Lazily<P> {
  (props: P): React.JSX.Element;
  /** Asks for the code ahead of its use. */
  readonly preload: () => void;
  /** Its code, while it is not there. */
  readonly missing: () => Promise<unknown> | undefined;
}

/**
 * A component whose code is asked for when it is first drawn, or before that by `preload`. `meanwhile` stands in its place
 * while it is on its way, by default nothing.
 */
export function lazily<P extends object>(load: () => Promise<ComponentType<P>>, meanwhile?: ReactNode): Lazily<P> {
  let isThere = false;
  const loadOnce = async (): Promise<ComponentType<P>> => {
    const component = await load();
    isThere = true;
    return component;
  };
  const Late = lazy(async () => ({ default: await loadOnce() }));
  function WhenThere(props: P) {
    return (
      <Suspense fallback={meanwhile}>
        <Late {...props} />
      </Suspense>
    );
  }
  return Object.assign(WhenThere, {
    preload: () => void loadOnce().catch(() => undefined),
    missing: () => (isThere ? undefined : loadOnce()),
  });
}
