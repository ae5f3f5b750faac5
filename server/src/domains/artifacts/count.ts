import type { State } from '../../ports/state/state.ts';

/**
 * How many bundles were uploaded for each of the releases, by version; those without one are left out. `projectIds`: of
 * these projects; all of the organisation where it is undefined.
 */
export async function countBundles(
  state: State,
  organizationId: string,
  versions: readonly string[],
  projectIds: readonly number[] | undefined,
): Promise<ReadonlyMap<string, number>> {
  if (!versions.length) return new Map();
  const all = state.db
    .selectFrom('artifact_bundle')
    .select(({ fn }) => ['release', fn.countAll<number>().as('n')])
    .where('organization_id', '=', organizationId)
    .where('release', 'in', versions)
    .groupBy('release');
  const own = projectIds?.length ? projectIds : [0];
  const rows = await (
    projectIds
      ? all.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('artifact_bundle_project')
              .select('bundle_id')
              .whereRef('bundle_id', '=', 'artifact_bundle.id')
              .where('project_id', 'in', own),
          ),
        )
      : all
  ).execute();
  return new Map(rows.map((row) => [row.release, Number(row.n)]));
}
