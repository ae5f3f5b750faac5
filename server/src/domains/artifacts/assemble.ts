/**
 * What becomes of a bundle, one per organisation, content, release and dist:
 *
 *   (unknown) ──all chunks there──► created ──indexing starts──► assembling ──► ok
 *       ▲  │                           ▲                             │
 *       │  └─chunks missing: not_found │                             └──refused──► error
 *       └── deleted, or long unused    └── asked for again, where trying again may help ──┘
 *
 * Each call is one of a client that asks "do you have it?", and is answered from the row as it stands.
 */
import { CodedError } from '../../base/errors.ts';
import { seenProject, type Viewer } from '../projects/index.ts';
import { markNamed } from '../releases/index.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { bundleProblems, uploads } from '../../base/texts/artifacts.ts';
import { touchChunks } from './chunks.ts';
import { tellAgain } from './indexing/rows.ts';
import { maxBundleSize } from './limits.ts';

export interface AssembleRequest {
  readonly organizationId: string;
  /** The projects that the uploader sees; all unless given. */
  readonly within?: Viewer['within'];
  /** SHA-1 of the whole, hex. */
  readonly checksum: string;
  /** SHA-1 of each chunk, hex, in order. */
  readonly chunks: readonly string[];
  /** Slugs or ids. */
  readonly projects: readonly string[];
  /** '' for none. */
  readonly release: string;
  /** '' for none. */
  readonly dist: string;
  /** Of a debug file: its name, and the id that it is for; '' where it says so itself. */
  readonly debugFile?: { readonly name: string; readonly debugId: string };
}

export interface Assembly {
  readonly state: 'ok' | 'not_found' | 'created' | 'assembling' | 'error';
  readonly missingChunks: readonly string[];
  /** Why it is an error, in words. */
  readonly detail?: string;
}

/** An error that may pass (chunks that went missing) is tried again when the bundle is asked for so much later. */
const retryAfterMs = 60_000;
const longestName = 300;

/** Throws `CodedError('INPUT_INVALID')` for projects that are not there. Safe when several clients ask at once. */
export async function assembleBundle(
  state: State,
  request: AssembleRequest,
  { indexVersion, now = Date.now() }: { readonly indexVersion: number; readonly now?: number },
): Promise<Assembly> {
  const projectIds = await projectIdsOf(state, request);
  const { organizationId, release, dist, debugFile } = request;
  const debugId = debugFile?.debugId ?? '';
  const checksum = request.checksum.toLowerCase();
  const chunks = request.chunks.map((one) => one.toLowerCase());
  return state.transaction(async (trx) => {
    // What is uploaded for is no invention of events.
    if (release !== '') await markNamed(trx, organizationId, release);
    const known = await trx
      .selectFrom('artifact_bundle')
      .select(['id', 'state', 'detail', 'index_version', 'indexed_at'])
      .where('organization_id', '=', organizationId)
      .where('checksum', '=', checksum)
      .where('release', '=', release)
      .where('dist', '=', dist)
      .where('debug_id', '=', debugId)
      .executeTakeFirst();
    if (known) {
      const added = await link(trx, known.id, projectIds);
      await trx.updateTable('artifact_bundle').set({ uploaded_at: now }).where('id', '=', known.id).execute();
      if (known.state === 'ok') {
        // Events of the further projects may wait for it.
        if (added > 0) await tellAgain(trx, known.id);
        return { state: 'ok', missingChunks: [] };
      }
      if (known.state !== 'error') return { state: known.state, missingChunks: [] };
      const mayPass = known.index_version !== indexVersion && now - (known.indexed_at ?? 0) > retryAfterMs;
      if (!mayPass) return { state: 'error', missingChunks: [], detail: known.detail };
    }

    const sizes = await touchChunks(trx, organizationId, chunks, now);
    let size = await assembledSize(trx, organizationId, checksum);
    if (size === undefined) {
      const missingChunks = [...new Set(chunks)].filter((one) => !sizes.has(one));
      if (missingChunks.length > 0) return { state: 'not_found', missingChunks };
      size = chunks.reduce((sum, one) => sum + (sizes.get(one) ?? 0), 0);
    }
    if (size > maxBundleSize) {
      const detail = bundleProblems.tooLarge(size, maxBundleSize);
      return { state: 'error', missingChunks: [], detail };
    }
    const fresh = { state: 'created', detail: '', chunks: JSON.stringify(chunks), size_bytes: size } as const;
    if (known) {
      await trx.updateTable('artifact_bundle').set(fresh).where('id', '=', known.id).execute();
      return { state: 'created', missingChunks: [] };
    }
    const { id } = await trx
      .insertInto('artifact_bundle')
      .values({
        ...fresh,
        organization_id: organizationId,
        checksum,
        release,
        dist,
        ...(debugFile && { kind: 'debug' as const, name: debugFile.name.slice(0, longestName), debug_id: debugId }),
        file_count: 0,
        index_version: 0,
        created_at: now,
        uploaded_at: now,
        indexed_at: null,
        last_used_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await link(trx, id, projectIds);
    return { state: 'created', missingChunks: [] };
  });
}

async function projectIdsOf(state: State, { organizationId, within, projects }: AssembleRequest): Promise<number[]> {
  if (projects.length === 0) {
    throw new CodedError('INPUT_INVALID', [uploads.noProject]);
  }
  const ids = new Set<number>();
  for (const name of new Set(projects)) {
    const project = await seenProject(state, { organizationId, within }, name);
    if (!project) {
      throw new CodedError('INPUT_INVALID', [uploads.unknownProject(name)]);
    }
    ids.add(project.id);
  }
  return [...ids];
}

/** How many of the projects it was not one of before. */
async function link(trx: StateTransaction, bundleId: number, projectIds: readonly number[]): Promise<number> {
  const added = await trx
    .insertInto('artifact_bundle_project')
    .values(projectIds.map((projectId) => ({ bundle_id: bundleId, project_id: projectId })))
    .onConflict((conflict) => conflict.columns(['project_id', 'bundle_id']).doNothing())
    .returning('project_id')
    .execute();
  return added.length;
}

/** Bytes of the same content where it was put together before, for another release; undefined where it was not. */
async function assembledSize(
  trx: StateTransaction,
  organizationId: string,
  checksum: string,
): Promise<number | undefined> {
  const row = await trx
    .selectFrom('artifact_bundle')
    .select('size_bytes')
    .where('organization_id', '=', organizationId)
    .where('checksum', '=', checksum)
    .where('state', '=', 'ok')
    .executeTakeFirst();
  return row?.size_bytes;
}
