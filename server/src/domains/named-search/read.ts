/** Searches of issues and events as people write them. */
import { parseSearch, reasonText, type SearchNode, type SearchProblem } from '@culprit/search';
import { CodedError } from '../../base/errors.ts';
import type { Events } from '../../ports/events/events.ts';
import type { State } from '../../ports/state/state.ts';
import type { Reduced } from '../issues/index.ts';
import { type NameScope, resolveNames } from './names.ts';

/** A search query that cannot be run, with every problem and its place. */
export class SearchError extends CodedError {
  readonly problems: readonly SearchProblem[];

  constructor(problems: readonly SearchProblem[]) {
    super('QUERY_INVALID', [problems.map(reasonText).join(' ')]);
    this.problems = problems;
  }
}

/** A search over issues, or the events of one. Throws `SearchError` when there is any problem. */
export function readSearch(query: string): SearchNode | undefined {
  const { root, problems } = parseSearch(query, 'issues');
  if (problems.length) throw new SearchError(problems);
  return root;
}

/** The same with what names in it stand for. */
export async function readNamedSearch(
  stores: { readonly state: State; readonly events: Events },
  query: string,
  scope: NameScope,
): Promise<Reduced> {
  const { root, problems } = await resolveNames(stores, readSearch(query), scope);
  if (problems.length) throw new SearchError(problems);
  return root;
}
