/** Of which projects lists are. Pure. */
import type { Project } from './queries.ts';

/** As the server has it: without a choice all but the project in which the installation reports of itself. */
export const isListed = (
  slug: string,
  chosen: string | undefined,
  projects: readonly Pick<Project, 'slug' | 'isInternal'>[] = [],
): boolean =>
  chosen === undefined ? !projects.some((each) => each.slug === slug && each.isInternal) : slug === chosen;
