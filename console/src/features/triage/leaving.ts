/** Which rows leave a list because of a change, before the server has answered. Pure. */
import { splitTerms } from '../issues/query-terms.ts';
import type { Issue } from '../issues/queries.ts';

type Status = Issue['status'];

/** What `is:` asks for, where it asks for a status or one of its kinds. */
const statusOf: Readonly<Record<string, Status>> = {
  unresolved: 'unresolved',
  new: 'unresolved',
  ongoing: 'unresolved',
  escalating: 'unresolved',
  regressed: 'unresolved',
  for_review: 'unresolved',
  resolved: 'resolved',
  archived: 'ignored',
  ignored: 'ignored',
  archived_until_escalating: 'ignored',
  archived_until_condition_met: 'ignored',
  archived_forever: 'ignored',
};

/** The only status that a list with this query shows; undefined where it shows several, or the query is beyond telling. */
export function onlyStatus(query: string): Status | undefined {
  const terms = splitTerms(query);
  // Alternatives ask for more than one; a short id is found whatever its status.
  if (terms.some((term) => /^or$/i.test(term) || /^[a-z][\w-]*-\d+$/i.test(term))) return undefined;
  for (const term of terms) {
    const status = statusOf[/^is:(\w+)$/.exec(term)?.[1] ?? ''];
    if (status) return status;
  }
  return undefined;
}
