/** Releases that somebody named who may: their place is theirs, however many names events invent. */
import type { StateTransaction } from '../../ports/state/state.ts';

/** The release, where there is one already; where not, `uploadedFor` finds it once events carry it. */
export async function markNamed(trx: StateTransaction, organizationId: string, version: string): Promise<void> {
  await trx
    .updateTable('release')
    .set({ is_named: 1 })
    .where('organization_id', '=', organizationId)
    .where('version', '=', version)
    .where('is_named', '=', 0)
    .execute();
}

/** Those of the versions for which something was uploaded. */
export async function uploadedFor(
  trx: StateTransaction,
  organizationId: string,
  versions: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await trx
    .selectFrom('artifact_bundle')
    .select('release')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('release', 'in', versions)
    .execute();
  return new Set(rows.map((row) => row.release));
}
