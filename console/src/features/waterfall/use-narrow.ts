import { useSyncExternalStore } from 'react';

const query = '(width < 720px)';

/** Whether the screen has room for one column only; the same width as in the style sheets. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}
