/** The rows of a bundle as indexing reads and writes them. */
import { chunksOf } from '../../../base/chunks.ts';
import { sql } from 'kysely';
import type { Claimer, JobCounts } from '../../../base/jobs/index.ts';
import { claimDue, holdClaim, nextClaimAt, released } from '../../../ports/state/claims.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import type { BundleError } from '../bundle/bundle-error.ts';
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
  readonly kind: 'scripts' | 'debug';
  readonly name: string;
  readonly debugId: string;
  readonly sizeBytes: number;
  /** The node that has claimed it: what is written of it holds only while it has. */
  readonly claimedBy: string;
}

export interface NewArtifact {
  readonly kind: 'script' | 'mapping' | 'sources';
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

const waits = sql`state in ('created', 'assembling')`;
/** It can be used and has yet to be told of: its node died in between, or a further project has got it. */
const isUntold = sql`state = 'ok' and attempts > 0`;
/** What an older version has indexed. */
const isOld = (version: number) => sql`state = 'ok' and index_version < ${version}`;
const isOpen = (version: number) => sql<boolean>`((${waits}) or (${isUntold}) or (${isOld(version)}))`;

export interface ClaimedBundle {
  readonly id: number;
  /** This one included. */
  readonly attempts: number;
  /** All that is left is to tell of it. */
  readonly isIndexed: boolean;
}

/** Claims the bundle whose turn it is: those that wait, the oldest first; then those that an older version indexed. */
export async function claimBundle(state: State, version: number, claimer: Claimer): Promise<ClaimedBundle | undefined> {
  for (const ready of [waits, isUntold, isOld(version)]) {
    const [bundle] = await claimDue(state, { table: 'artifact_bundle', ready, limit: 1 }, claimer);
    if (!bundle) continue;
    const isIndexed = bundle.state === 'ok' && bundle.index_version >= version;
    return { id: bundle.id, attempts: bundle.attempts, isIndexed };
  }
  return undefined;
}

/** That it can be used is told from now on, once the transaction has committed and the indexer comes to it. */
export async function tellAgain(trx: StateTransaction, id: number): Promise<void> {
  await trx
    .updateTable('artifact_bundle')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** False when it is another node's. */
export const holdBundle = async (state: State, id: number, claimer: Claimer): Promise<boolean> =>
  (await holdClaim(state.db, { table: 'artifact_bundle', ready: sql`id = ${id}` }, claimer)) !== undefined;

/** One that is not through is taken by another node, or at the next start. */
export async function releaseBundle(
  state: State,
  { id, attempts }: ClaimedBundle,
  { node }: Pick<Claimer, 'node'>,
  isThrough: boolean,
): Promise<void> {
  await state.db
    .updateTable('artifact_bundle')
    .set((eb) => ({
      ...released,
      // What was counted meanwhile is to be told once more.
      ...(isThrough && { attempts: eb('attempts', '-', attempts) }),
    }))
    .where('id', '=', id)
    .where('claimed_by', '=', node)
    .execute();
}

export const nextBundleAt = (state: State, version: number): Promise<number | undefined> =>
  nextClaimAt(state, { table: 'artifact_bundle', ready: isOpen(version) });

export async function countBundles({ db }: State, version: number): Promise<JobCounts> {
  const now = Date.now();
  const { waiting, running } = await db
    .selectFrom('artifact_bundle')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere('claimed_until', '<=', now).as('waiting'),
      fn.countAll<number | string>().filterWhere('claimed_until', '>', now).as('running'),
    ])
    .where(isOpen(version))
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), running: Number(running) };
}

/** Undefined where it is not there any more. One that waited is marked as being worked on. */
export async function readBundle(state: State, id: number, claimedBy: string): Promise<StoredBundle | undefined> {
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
      kind: row.kind,
      name: row.name,
      debugId: row.debug_id,
      chunks: JSON.parse(row.chunks) as string[],
      sizeBytes: row.size_bytes,
      claimedBy,
    }
  );
}

/** Replaces the artifacts of the bundle, which is ok from then on, where it is still this node's. What they were used for so far is kept. */
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
      .where('claimed_by', '=', bundle.claimedBy)
      .returning('id')
      .executeTakeFirst();
    if (!found) return false;
    if (before.length > 0) await trx.deleteFrom('artifact').where('bundle_id', '=', bundle.id).execute();
    for (const chunk of chunksOf(artifacts, rowsAtOnce)) {
      const rows = chunk.map((one) => {
        const usedBefore = used.get(`${one.debugId} ${one.url}`);
        return {
          bundle_id: bundle.id,
          kind: one.kind,
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

/** Marks the bundle as refused, where it is still this node's. True where no other release has the same content. */
export async function writeError(state: State, bundle: StoredBundle, error: BundleError): Promise<boolean> {
  return state.transaction(async (trx) => {
    const found = await trx
      .updateTable('artifact_bundle')
      .set({
        state: 'error',
        detail: error.message.slice(0, longestProblem),
        index_version: error.mayPass ? 0 : indexVersion,
        indexed_at: Date.now(),
      })
      .where('id', '=', bundle.id)
      .where('claimed_by', '=', bundle.claimedBy)
      .returning('id')
      .executeTakeFirst();
    if (!found) return false;
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
