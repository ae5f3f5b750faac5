/** How much was uploaded that no bundle is made of. */
import type { State } from '../../ports/state/state.ts';
import { leftoverMs } from './limits.ts';

/**
 * Bytes of chunks of an organisation that are part of no bundle, or of a refused one. Chunks of bundles that were put
 * together stay a while too, for the next upload of nearly the same; they are told apart only where all together reach `enough`.
 */
export async function unassembledBytes(
  state: State,
  organizationId: string,
  enough: number,
  now: number,
): Promise<number> {
  const all = await state.db
    .selectFrom('artifact_chunk')
    .select(({ fn }) => fn.sum<number | string | null>('size_bytes').as('bytes'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const bytes = Number(all?.bytes ?? 0);
  if (bytes < enough) return bytes;
  const bundles = await state.db
    .selectFrom('artifact_bundle')
    .select('chunks')
    .where('organization_id', '=', organizationId)
    .where('state', '!=', 'error')
    // Chunks that an older one is made of are gone, unless they were uploaded again.
    .where('uploaded_at', '>', now - 2 * leftoverMs)
    .execute();
  const assembled = new Set(bundles.flatMap(({ chunks }) => JSON.parse(chunks) as string[]));
  const rows = await state.db
    .selectFrom('artifact_chunk')
    .select(['checksum', 'size_bytes'])
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.reduce((sum, row) => (assembled.has(row.checksum) ? sum : sum + Number(row.size_bytes)), 0);
}
