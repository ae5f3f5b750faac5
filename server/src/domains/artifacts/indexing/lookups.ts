/** Lookup files: made once for equal content, however many bundles hold it. */
import { createHash } from 'node:crypto';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { State } from '../../../ports/state/state.ts';
import { lookupKey } from '../keys.ts';
import { buildLookup, lookupVersion, type LookupInput } from '../lookup/index.ts';

export interface StoredLookup {
  readonly key: string;
  /** How many source files it has. */
  readonly sources: number;
}

export interface LookupOrder extends LookupInput {
  readonly organizationId: string;
  /** Stands for what `sourceOf` can give; '' where it gives nothing. */
  readonly sourcesId: string;
}

interface Stores {
  readonly state: State;
  readonly blobs: Blobs;
}

/** Throws MapError when the map cannot be used. */
export const storeLookup = (stores: Stores, order: LookupOrder, now: number): Promise<StoredLookup> =>
  storeOnce(stores, lookupKey(order.organizationId, hashOf(order)), () => buildLookup(order), now);

interface Built {
  readonly chunks: Iterable<Uint8Array>;
  readonly sources: number;
}

/** `key` stands for all that the file is made of. */
export async function storeOnce(
  { state, blobs }: Stores,
  key: string,
  build: () => Built | Promise<Built>,
  now: number,
): Promise<StoredLookup> {
  const known = await state.db
    .updateTable('artifact_lookup')
    .set({ touched_at: now })
    .where('key', '=', key)
    .where('size_bytes', '>', 0)
    .returning('sources')
    .executeTakeFirst();
  if (known) return { key, sources: known.sources };

  const { chunks, sources } = await build();
  // The row first: a file without one would never be found again, should the thread end here.
  await state.db
    .insertInto('artifact_lookup')
    .values({ key, size_bytes: 0, sources, touched_at: now })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ sources, touched_at: now }))
    .execute();
  const size = await blobs.putStream(key, chunks, { asIs: true });
  await state.db.updateTable('artifact_lookup').set({ size_bytes: size }).where('key', '=', key).execute();
  return { key, sources };
}

function hashOf({ map, script, sourcesId }: LookupOrder): string {
  const hash = createHash('sha256');
  hash.update(`lookup ${lookupVersion} ${map.length} ${script?.length ?? -1} ${sourcesId.length}\n`);
  hash.update(map);
  if (script) hash.update(script);
  hash.update(sourcesId);
  return hash.digest('hex');
}
