import { useEffect } from 'react';

/** Sets the document's title: the state first, so that a row of tabs can be told apart. */
export function useTitle(...parts: readonly (string | false | undefined)[]): void {
  const title = [...parts.filter(Boolean), 'Culprit'].join(' · ');
  useEffect(() => {
    document.title = title;
  }, [title]);
}
