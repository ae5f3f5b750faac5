/** The rows of a bundle as indexing reads and writes them. */
import type { State } from '../../state/state.ts';
import type { BundleError } from '../bundle/bundle-error.ts';
import { slicesOf } from '../find.ts';
import { lookupVersion } from '../lookup/index.ts';
import type { ChunkList } from './assembled.ts';
import type { IndexedBundle } from './messages.ts';

/** Raised when bundles are read in another way. Bundles that an older one indexed are indexed again. */
const readingVersion = 1;
export const indexVersion = readingVersion * 1000 + lookupVersion;

export interface StoredBundle extends ChunkList {
  readonly id: number;
  readonly release: string;
  readonly dist: string;
  readonly sizeBytes: number;
}

export interface NewArtifact {
  readonly url: string;
  readonly debugId: string;
  readonly mapUrl: string;
  readonly scriptBytes: number;
  readonly mapBytes: number;
  readonly sources: number;
  readonly lookupKey: string;
  readonly problem: string;
}

const longestProblem = 500;
const rowsAtOnce = 250;

/** The bundle whose turn it is: those that wait, the oldest first; then those that an older version indexed. */
export async function nextBundle(state: State, version: number): Promise<number | undefined> {
  const first = state.db.selectFrom('artifact_bundle').select('id').orderBy('id').limit(1);
  const waits = await first.where('state', 'in', ['created', 'assembling']).executeTakeFirst();
  const next = waits ?? (await first.where('state', '=', 'ok').where('index_version', '<', version).executeTakeFirst());
  return next?.id;
}

/** Undefined where it is not there any more. One that waited is marked as being worked on. */
export async function readBundle(state: State, id: number): Promise<StoredBundle | undefined> {
  await state.db
    .updateTable('artifact_bundle')
    .set({ state: 'assembling' })
    .where('id', '=', id)
    .where('state', '=', 'created')
    .execute();
  const row = await state.db.selectFrom('artifact_bundle').selectAll().where('id', '=', id).executeTakeFirst();
  return (
    row && {
      id,
      organizationId: row.organization_id,
      checksum: row.checksum,
      release: row.release,
      dist: row.dist,
      chunks: JSON.parse(row.chunks) as string[],
      sizeBytes: row.size_bytes,
    }
  );
}

/** Replaces the artifacts of the bundle, which is ok from then on. What they were used for so far is kept. */
export async function writeArtifacts(
  state: State,
  bundle: StoredBundle,
  artifacts: readonly NewArtifact[],
  fileCount: number,
): Promise<IndexedBundle | undefined> {
  const done = await state.transaction(async (trx) => {
    const before = await trx
      .selectFrom('artifact')
      .select(['url', 'debug_id', 'frames_resolved', 'last_used_at'])
      .where('bundle_id', '=', bundle.id)
      .execute();
    const used = new Map(before.map((row) => [`${row.debug_id} ${row.url}`, row]));
    const found = await trx
      .updateTable('artifact_bundle')
      .set({
        state: 'ok',
        detail: '',
        file_count: fileCount,
        index_version: indexVersion,
        indexed_at: Date.now(),
      })
      .where('id', '=', bundle.id)
      .returning('id')
      .executeTakeFirst();
    if (!found) return false;
    if (before.length > 0) await trx.deleteFrom('artifact').where('bundle_id', '=', bundle.id).execute();
    for (const slice of slicesOf(artifacts, rowsAtOnce)) {
      const rows = slice.map((one) => {
        const usedBefore = used.get(`${one.debugId} ${one.url}`);
        return {
          bundle_id: bundle.id,
          url: one.url,
          debug_id: one.debugId,
          map_url: one.mapUrl,
          script_bytes: one.scriptBytes,
          map_bytes: one.mapBytes,
          sources: one.sources,
          lookup_key: one.lookupKey,
          problem: one.problem.slice(0, longestProblem),
          frames_resolved: usedBefore?.frames_resolved ?? 0,
          last_used_at: usedBefore?.last_used_at ?? null,
        };
      });
      await trx.insertInto('artifact').values(rows).execute();
    }
    return true;
  });
  return done ? readIndexed(state, bundle.id) : undefined;
}

/** Marks the bundle as refused. True where no other release has the same content. */
export async function writeError(state: State, bundle: StoredBundle, error: BundleError): Promise<boolean> {
  return state.transaction(async (trx) => {
    await trx
      .updateTable('artifact_bundle')
      .set({
        state: 'error',
        detail: error.message.slice(0, longestProblem),
        index_version: error.mayPass ? 0 : indexVersion,
        indexed_at: Date.now(),
      })
      .where('id', '=', bundle.id)
      .execute();
    await trx.deleteFrom('artifact').where('bundle_id', '=', bundle.id).execute();
    const other = await trx
      .selectFrom('artifact_bundle')
      .select('id')
      .where('organization_id', '=', bundle.organizationId)
      .where('checksum', '=', bundle.checksum)
      .where('state', '!=', 'error')
      .executeTakeFirst();
    return other === undefined;
  });
}

/** What is told about a bundle that can be used; undefined for any other. */
export async function readIndexed(state: State, id: number): Promise<IndexedBundle | undefined> {
  const bundle = await state.db
    .selectFrom('artifact_bundle')
    .select(['organization_id', 'release', 'dist'])
    .where('id', '=', id)
    .where('state', '=', 'ok')
    .executeTakeFirst();
  if (!bundle) return undefined;
  const projects = await state.db
    .selectFrom('artifact_bundle_project')
    .select('project_id')
    .where('bundle_id', '=', id)
    .orderBy('project_id')
    .execute();
  const debugIds = await state.db
    .selectFrom('artifact')
    .select('debug_id')
    .distinct()
    .where('bundle_id', '=', id)
    .where('debug_id', '!=', '')
    .execute();
  return {
    bundleId: id,
    organizationId: bundle.organization_id,
    projectIds: projects.map((row) => row.project_id),
    debugIds: debugIds.map((row) => row.debug_id),
    release: bundle.release,
    dist: bundle.dist,
  };
}
