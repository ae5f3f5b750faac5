/** Which projects a rule watches. */
import { ofPeople, type Project } from '../projects/index.ts';

/** Those that it names and that are there; without names all but the one in which the installation reports of itself. */
export function projectsOf(rule: { readonly projectIds: readonly number[] }, all: readonly Project[]): Project[] {
  if (!rule.projectIds.length) return ofPeople(all);
  const named = new Set(rule.projectIds);
  return all.filter((project) => named.has(project.id));
}
