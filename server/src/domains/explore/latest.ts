import { latestVersions } from '../releases/index.ts';
import type { State } from '../../ports/state/state.ts';
import type { ExploreProject } from './types.ts';

/** For a scope: the latest releases of the projects, looked up where a query may name them. */
export async function latestNamed(
  state: State,
  projects: readonly ExploreProject[],
  queries: readonly (string | undefined)[],
): Promise<readonly string[] | undefined> {
  if (!queries.some((query) => query?.includes('latest'))) return undefined;
  return latestVersions(
    state,
    projects.map(({ id }) => id),
  );
}
