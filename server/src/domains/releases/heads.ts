/** Releases by what of a repository is in them. */
import type { State } from '../../ports/state/state.ts';

interface Of {
  readonly organizationId: string;
  readonly repository: string;
  readonly projectIds: readonly number[];
}

const headsIn = ({ db }: Pick<State, 'db'>, { organizationId, repository, projectIds }: Of) =>
  db
    .selectFrom('release_head')
    .innerJoin('repository', 'repository.id', 'release_head.repository_id')
    .innerJoin('release', 'release.id', 'release_head.release_id')
    .innerJoin('release_project', 'release_project.release_id', 'release.id')
    .where('repository.organization_id', '=', organizationId)
    .where('repository.name', '=', repository)
    .where('release_project.project_id', 'in', projectIds)
    .orderBy('release.ordered_at', 'desc')
    .orderBy('release.id', 'desc')
    .limit(1);

/** The version that was made of a commit: the newest of the projects. */
export async function versionOfHead(
  state: Pick<State, 'db'>,
  of: Of & { readonly commit: string },
): Promise<string | undefined> {
  const row = await headsIn(state, of)
    .select('release.version')
    .where('release_head.sha', '=', of.commit)
    .executeTakeFirst();
  return row?.version;
}

/** The commit of the newest release of the projects that is another one. */
export async function headBefore(
  state: Pick<State, 'db'>,
  of: Of & { readonly version: string },
): Promise<string | undefined> {
  const row = await headsIn(state, of)
    .select('release_head.sha')
    .where('release.version', '!=', of.version)
    .executeTakeFirst();
  return row?.sha;
}
