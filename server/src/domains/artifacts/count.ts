import type { State } from '../../ports/state/state.ts';

/** How many bundles were uploaded for each of the releases, by version; those without one are left out. */
export async function countBundles(
  state: State,
  organizationId: string,
  versions: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (!versions.length) return new Map();
  const rows = await state.db
    .selectFrom('artifact_bundle')
    .select(({ fn }) => ['release', fn.countAll<number>().as('n')])
    .where('organization_id', '=', organizationId)
    .where('release', 'in', versions)
    .groupBy('release')
    .execute();
  return new Map(rows.map((row) => [row.release, Number(row.n)]));
}
