/** Which projects a question is about. */
import { parseSearch, type SearchValue } from '@culprit/search';
import { CodedError } from '../../base/errors.ts';
import { listProjects, ofPeople, type Project, seenProjects, sees, type Viewer } from '../projects/index.ts';
import { someTerm } from '../issues/index.ts';
import type { State } from '../../ports/state/state.ts';
import { things } from '../../base/texts/things.ts';

/** Whether a question names projects at all; Sentry's clients say -1 for all of them. */
export const namesProjects = (names: readonly string[]): boolean => names.some(isName);

const isName = (name: string): boolean => name !== '' && name !== '-1';

/**
 * Which projects a question is about, among those that who asks sees: those named by id or slug, else all of the people. The project in which the
 * installation reports of itself is among them only where it is named, by `project:` in the search as well.
 * Throws `NOT_FOUND` for one that is not there.
 */
export async function chooseProjects(
  state: State,
  viewer: Viewer,
  names: readonly string[],
  search = '',
): Promise<Project[]> {
  const reachable = await reachableProjects(state, viewer, names);
  const isOpen = namesProjects(names) || reachable.some((one) => one.settings.internal && isSearched(one, search));
  return isOpen ? reachable : ofPeople(reachable);
}

/** The same for what is asked for by its own id or digest, wherever it is: without names all that the viewer sees. */
export async function reachableProjects(state: State, viewer: Viewer, names: readonly string[]): Promise<Project[]> {
  const all = await seenProjects(state, viewer);
  const wanted = names.filter(isName);
  if (!wanted.length) return all;
  const chosen = wanted.map((name) => {
    const project = all.find((one) => one.slug === name || String(one.id) === name);
    if (!project) throw new CodedError('NOT_FOUND', [things.project(name)]);
    return project;
  });
  return [...new Set(chosen)];
}

/** What somebody kept, by name or in words. */
interface Kept {
  readonly query: string;
  readonly state: unknown;
}

/** Whether what is kept names no project that the viewer does not see. */
export async function namingSeenOnly(state: State, viewer: Viewer): Promise<(kept: Kept) => boolean> {
  if (!viewer.within) return () => true;
  const unseen = (await listProjects(state, viewer.organizationId)).filter(({ id }) => !sees(viewer, id));
  return ({ query, state: more }) => {
    const names = namesIn(more);
    return !unseen.some((one) => names.has(one.slug) || names.has(String(one.id)) || isSearched(one, query));
  };
}

function namesIn(state: unknown): ReadonlySet<string> {
  const project = typeof state === 'object' && state !== null && 'project' in state ? state.project : [];
  return new Set([project].flat().map(String));
}

function isSearched({ id, slug }: Project, search: string): boolean {
  if (!search.includes('project')) return false;
  return someTerm(parseSearch(search, 'events').root, (term) => {
    if (term.kind !== 'filter' || term.negated || !('place' in term.key) || term.key.place.kind !== 'project')
      return false;
    return valuesOf(term.value).some((value) => value === slug || value === String(id));
  });
}

function valuesOf(value: SearchValue): readonly string[] {
  if (value.type === 'text') return [value.text];
  if (value.type === 'number') return value.comparison === '=' ? [String(value.number)] : [];
  if (value.type === 'list' || value.type === 'numbers') return value.values.map(String);
  return [];
}
