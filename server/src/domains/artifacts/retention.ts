/**
 * What goes when nobody uses it any more: bundles by their last use or upload, lookup files without an artifact, chunks
 * within a day. Called while no bundle is being indexed. A blob goes before its row, so that whatever a crash interrupts is found
 * again.
 */
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { State } from '../../ports/state/state.ts';
import { bundleKey, chunkKey } from './keys.ts';
import { leftoverMs } from './limits.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** Source maps outlive events: the next event of an old release needs them. */
const shortestDays = 90;
const rowsAtOnce = 200;
/** What a deleted bundle leaves that no other uses is gone within the hour. */
const deletedMs = 20 * 60_000;

interface Stores {
  readonly state: State;
  readonly blobs: Blobs;
}

export async function sweepArtifacts(
  stores: Stores,
  { retentionDays, now }: { readonly retentionDays: number; readonly now: number },
): Promise<void> {
  await sweepBundles(stores, now - Math.max(retentionDays, shortestDays) * dayMs);
  await sweepLookups(stores, now - ((await isIndexing(stores, now)) ? leftoverMs : deletedMs));
  await sweepChunks(stores, now - leftoverMs);
}

/** A bundle that is being indexed, on any node, has lookup files before it has artifacts. */
async function isIndexing({ state }: Stores, now: number): Promise<boolean> {
  const claimed = await state.db
    .selectFrom('artifact_bundle')
    .select('id')
    .where('claimed_until', '>', now)
    .executeTakeFirst();
  return claimed !== undefined;
}

async function sweepBundles({ state, blobs }: Stores, before: number): Promise<void> {
  for (;;) {
    const rows = await unusedBundles(state, before)
      .select(['id', 'organization_id', 'checksum'])
      .limit(rowsAtOnce)
      .execute();
    if (rows.length === 0) return;
    for (const { id, organization_id, checksum } of rows) {
      const other = await state.db
        .selectFrom('artifact_bundle')
        .select('id')
        .where('organization_id', '=', organization_id)
        .where('checksum', '=', checksum)
        .where('id', '!=', id)
        .executeTakeFirst();
      if (!other) await blobs.delete(bundleKey(organization_id, checksum));
      await state.db.deleteFrom('artifact_bundle').where('id', '=', id).execute();
    }
  }
}

/** Not used and not uploaded since then, or without a project. Those that wait to be indexed are in use. */
const unusedBundles = (state: State, before: number) =>
  state.db
    .selectFrom('artifact_bundle')
    .where((bundle) =>
      bundle.or([
        bundle.and([
          bundle('state', 'in', ['ok', 'error']),
          bundle('uploaded_at', '<', before),
          bundle.or([bundle('last_used_at', 'is', null), bundle('last_used_at', '<', before)]),
        ]),
        bundle.not(
          bundle.exists((query) =>
            query
              .selectFrom('artifact_bundle_project')
              .select('bundle_id')
              .whereRef('artifact_bundle_project.bundle_id', '=', 'artifact_bundle.id'),
          ),
        ),
      ]),
    );

async function sweepLookups({ state, blobs }: Stores, before: number): Promise<void> {
  for (;;) {
    const rows = await state.db
      .selectFrom('artifact_lookup')
      .select('key')
      .where('touched_at', '<', before)
      .where(({ not, exists }) =>
        not(
          exists((query) =>
            query.selectFrom('artifact').select('id').whereRef('artifact.lookup_key', '=', 'artifact_lookup.key'),
          ),
        ),
      )
      .limit(rowsAtOnce)
      .execute();
    if (rows.length === 0) return;
    for (const { key } of rows) {
      await blobs.delete(key);
      await state.db.deleteFrom('artifact_lookup').where('key', '=', key).execute();
    }
  }
}

async function sweepChunks({ state, blobs }: Stores, before: number): Promise<void> {
  const pending = await state.db
    .selectFrom('artifact_bundle')
    .select(['organization_id', 'chunks'])
    .where('state', 'in', ['created', 'assembling'])
    .execute();
  const needed = new Set(
    pending.flatMap((row) =>
      (JSON.parse(row.chunks) as string[]).map((checksum) => chunkKey(row.organization_id, checksum)),
    ),
  );
  const rows = await state.db
    .selectFrom('artifact_chunk')
    .select(['organization_id', 'checksum'])
    .where('touched_at', '<', before)
    .execute();
  for (const { organization_id, checksum } of rows) {
    const key = chunkKey(organization_id, checksum);
    if (needed.has(key)) continue;
    await blobs.delete(key);
    await state.db
      .deleteFrom('artifact_chunk')
      .where('organization_id', '=', organization_id)
      .where('checksum', '=', checksum)
      .where('touched_at', '<', before)
      .execute();
  }
}
