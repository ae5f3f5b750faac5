/** Which projects a rule watches. */
import { ofPeople, type Project } from '../projects/index.ts';

/** Those that it names and that are there; without names all but the one in which the installation reports of itself. */
export function projectsOf(rule: { readonly projectIds: readonly number[] }, all: readonly Project[]): Project[] {
  if (!rule.projectIds.length) return ofPeople(all);
  const named = new Set(rule.projectIds);
  return all.filter((project) => named.has(project.id));
}

/** Whether all that a rule is about is among `seen`; one that is about all projects is for who sees all. */
export const isSeen = (projectIds: readonly number[], seen: ReadonlySet<number> | undefined): boolean =>
  seen === undefined || (projectIds.length > 0 && projectIds.every((id) => seen.has(id)));
