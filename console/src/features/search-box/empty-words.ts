/** What the list says when it has nothing to offer. Pure. */
import type { Completion } from '@culprit/search';

export interface Lookup {
  /** Whether the data is asked for what can stand here; a number, say, is not looked up. */
  readonly asked: boolean;
  readonly failed: boolean;
  readonly loading: boolean;
}

export function emptyWords({ kind, prefix }: Completion, { asked, failed, loading }: Lookup): string {
  if (loading) return 'Looking into the data…';
  if (kind === 'key' && prefix) return `No field is called like this. Enter searches for the text “${prefix}”.`;
  if (failed) return 'The data could not be asked what there is; anything can be typed.';
  if (!asked) return prefix ? 'Enter searches for this.' : 'Anything can be typed.';
  return prefix
    ? `The data has no value like “${prefix}”. Enter searches for it all the same.`
    : 'The data has no value to offer; anything can be typed.';
}
