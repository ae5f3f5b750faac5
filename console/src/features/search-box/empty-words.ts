/** The text of an empty list. Pure. */
import type { Completion } from '@culprit/search';
import * as m from '../../messages/search-box.ts';

export interface Lookup {
  /** Whether values are queried here; those of a number, say, are not. */
  readonly asked: boolean;
  readonly failed: boolean;
  readonly loading: boolean;
}

export function emptyWords({ kind, prefix }: Completion, { asked, failed, loading }: Lookup): string {
  if (loading) return m.loading;
  if (kind === 'key' && prefix) return m.noSuchField({ text: prefix });
  if (failed) return m.failed;
  if (!asked) return prefix ? m.enterSearches : m.anything;
  return prefix ? m.noSuchValue({ text: prefix }) : m.noValues;
}
