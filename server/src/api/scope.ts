/** What lists have in common: which projects, which time, which search. */
import { parseSearch, type SearchNode } from '@culprit/search';
import type { Membership } from '../accounts/index.ts';
import { CodedError } from '../errors.ts';
import { listProjects, type Project } from '../projects/index.ts';
import type { Events } from '../events/events.ts';
import type { Reduced } from '../issues/index.ts';
import type { State } from '../state/state.ts';
import { SearchError } from './problem.ts';
import { type NameScope, resolveNames } from './search-names.ts';

/** The organisation's projects, or those named by id or slug. Throws `NOT_FOUND` for one that is not there. */
export async function chooseProjects(
  state: State,
  { organizationId }: Membership,
  names: readonly string[],
): Promise<Project[]> {
  const all = await listProjects(state, organizationId);
  const wanted = names.filter((name) => name !== '' && name !== '-1');
  if (!wanted.length) return all;
  const chosen = wanted.map((name) => {
    const project = all.find((one) => one.slug === name || String(one.id) === name);
    if (!project) throw new CodedError('NOT_FOUND', [`project ${name}`]);
    return project;
  });
  return [...new Set(chosen)];
}

/** As `chooseProjects`; all are those of the people, since what the installation measures of itself is not theirs. */
export async function chooseMeasuredProjects(
  state: State,
  membership: Membership,
  names: readonly string[],
): Promise<Project[]> {
  const chosen = await chooseProjects(state, membership, names);
  return names.some((name) => name !== '' && name !== '-1') ? chosen : chosen.filter((one) => !one.settings.internal);
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
