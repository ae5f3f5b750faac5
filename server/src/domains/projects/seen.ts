/** The projects of an organisation as one who asks sees them. */
import type { State } from '../../ports/state/state.ts';
import { getProject, listProjects } from './projects.ts';
import type { Project } from './types.ts';

export interface Viewer {
  readonly organizationId: string;
  /** Undefined: all of the organisation. */
  readonly within: { readonly projectIds: ReadonlySet<number> } | undefined;
  /** The organisation is closed to this session: nothing of it is seen. */
  readonly unmet?: object | undefined;
}

export const sees = ({ within }: Pick<Viewer, 'within'>, projectId: number): boolean =>
  within === undefined || within.projectIds.has(projectId);

/** As `listProjects`. What is not seen is not there. */
export async function seenProjects(state: State, viewer: Viewer): Promise<Project[]> {
  if (viewer.unmet) return [];
  const all = await listProjects(state, viewer.organizationId);
  return viewer.within ? all.filter(({ id }) => sees(viewer, id)) : all;
}

/** As `getProject`. */
export async function seenProject(state: State, viewer: Viewer, slugOrId: string): Promise<Project | undefined> {
  if (viewer.unmet) return undefined;
  const project = await getProject(state, viewer.organizationId, slugOrId);
  return project && sees(viewer, project.id) ? project : undefined;
}
