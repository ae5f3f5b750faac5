/** Which uploaded script a frame was built into. */
import { chunksOf } from '../../base/chunks.ts';
import type { State } from '../../ports/state/state.ts';
import { bundleUrlsOf } from './urls.ts';

export interface ScriptArtifact {
  readonly id: number;
  readonly kind: 'script' | 'mapping' | 'sources';
  /** As the bundle says, e.g. `~/assets/index.js`. */
  readonly url: string;
  /** '' for none. */
  readonly debugId: string;
  /** Blob key of the lookup file; '' where there is no usable map. */
  readonly lookupKey: string;
  /** '' for none. */
  readonly mapUrl: string;
  /** Why the map cannot be used, in words; '' for none. */
  readonly problem: string;
}

/** Writing down that a bundle is still used need be no more exact. */
const usedEveryMs = 60 * 60 * 1000;

/** Those of the projects for which anything was ever uploaded, whatever became of it. */
export async function projectsWithArtifacts(state: State, projectIds: Iterable<number>): Promise<Set<number>> {
  const found = new Set<number>();
  for (const chunk of chunksOf([...new Set(projectIds)])) {
    const rows = await state.db
      .selectFrom('artifact_bundle_project')
      .select('project_id')
      .distinct()
      .where('project_id', 'in', chunk)
      .execute();
    for (const row of rows) found.add(row.project_id);
  }
  return found;
}

const columns = [
  'artifact.id as id',
  'artifact.kind as kind',
  'artifact.url as url',
  'artifact.debug_id as debugId',
  'artifact.lookup_key as lookupKey',
  'artifact.map_url as mapUrl',
  'artifact.problem as problem',
] as const;

const usableArtifacts = (state: State, projectId: number) =>
  state.db
    .selectFrom('artifact')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact.bundle_id')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('artifact_bundle.state', '=', 'ok');

interface Candidate extends ScriptArtifact {
  readonly uploadedAt: number;
}

/** A map that can be used wins over one that cannot, then the one that was uploaded last. */
function isBetter(one: Candidate, than: Candidate): boolean {
  if ((one.lookupKey !== '') !== (than.lookupKey !== '')) return one.lookupKey !== '';
  return one.uploadedAt === than.uploadedAt ? one.id > than.id : one.uploadedAt > than.uploadedAt;
}

const asArtifact = ({ id, kind, url, debugId, lookupKey, mapUrl, problem }: Candidate): ScriptArtifact => ({
  id,
  kind,
  url,
  debugId,
  lookupKey,
  mapUrl,
  problem,
});

/** By debug id, lower-case UUID with hyphens; those that nothing was uploaded for are left out. */
export async function findByDebugIds(
  state: State,
  projectId: number,
  debugIds: Iterable<string>,
): Promise<Map<string, ScriptArtifact>> {
  const best = new Map<string, Candidate>();
  for (const chunk of chunksOf([...new Set(debugIds)].filter(Boolean))) {
    const rows = await usableArtifacts(state, projectId)
      .where('artifact.debug_id', 'in', chunk)
      .select([...columns, 'artifact_bundle.uploaded_at as uploadedAt'])
      .execute();
    for (const row of rows) {
      const known = best.get(row.debugId);
      if (!known || isBetter(row, known)) best.set(row.debugId, row);
    }
  }
  return new Map([...best].map(([debugId, candidate]) => [debugId, asArtifact(candidate)]));
}

/**
 * By the URL that an event gives a script, in what was uploaded for the release: its dist first, then no dist; the
 * exact URL first, then `~` and its path; then the newest. Nothing for an event without release.
 */
export async function findByUrls(
  state: State,
  projectId: number,
  release: string,
  dist: string,
  urls: Iterable<string>,
): Promise<Map<string, ScriptArtifact>> {
  const found = new Map<string, ScriptArtifact>();
  const wanted = new Map([...new Set(urls)].map((url) => [url, bundleUrlsOf(url)]));
  if (release === '') return found;
  const byPlace = new Map<string, Candidate>();
  for (const chunk of chunksOf([...new Set([...wanted.values()].flat())])) {
    const rows = await usableArtifacts(state, projectId)
      .where('artifact_bundle.organization_id', '=', (query) =>
        query.selectFrom('project').select('organization_id').where('id', '=', projectId),
      )
      .where('artifact_bundle.release', '=', release)
      .where('artifact_bundle.dist', 'in', dist === '' ? [''] : [dist, ''])
      .where('artifact.url', 'in', chunk)
      .where('artifact.kind', '=', 'script')
      .select([...columns, 'artifact_bundle.uploaded_at as uploadedAt', 'artifact_bundle.dist as dist'])
      .execute();
    for (const { dist: builtFor, ...row } of rows) {
      const place = `${builtFor}\0${row.url}`;
      const known = byPlace.get(place);
      if (!known || isBetter(row, known)) byPlace.set(place, row);
    }
  }
  for (const [url, names] of wanted) {
    const places = [dist, ''].flatMap((one) => names.map((name) => `${one}\0${name}`));
    const place = places.find((one) => byPlace.has(one));
    const candidate = place === undefined ? undefined : byPlace.get(place);
    if (candidate) found.set(url, asArtifact(candidate));
  }
  return found;
}

const mostSourceBundles = 5;

/** Sources that were uploaded for the release, those of its dist and the newest first. Nothing for an event without release. */
export async function findSources(
  state: State,
  projectId: number,
  release: string,
  dist: string,
): Promise<ScriptArtifact[]> {
  if (release === '') return [];
  const rows = await usableArtifacts(state, projectId)
    .where('artifact_bundle.organization_id', '=', (query) =>
      query.selectFrom('project').select('organization_id').where('id', '=', projectId),
    )
    .where('artifact_bundle.release', '=', release)
    .where('artifact_bundle.dist', 'in', dist === '' ? [''] : [dist, ''])
    .where('artifact.kind', '=', 'sources')
    .select([...columns, 'artifact_bundle.uploaded_at as uploadedAt'])
    .orderBy('artifact_bundle.dist', 'desc')
    .orderBy('artifact_bundle.uploaded_at', 'desc')
    .limit(mostSourceBundles)
    .execute();
  return rows.map(asArtifact);
}

/** Counts frames that were resolved, by artifact id, and keeps their bundles from going as unused. */
export async function noteUse(state: State, uses: ReadonlyMap<number, number>, now: number): Promise<void> {
  // Always in the same order, so that two threads never wait for each other.
  const ids = [...uses.keys()].sort((a, b) => a - b);
  if (ids.length === 0) return;
  await state.transaction(async (trx) => {
    for (const id of ids) {
      await trx
        .updateTable('artifact')
        .set((row) => ({ frames_resolved: row('frames_resolved', '+', uses.get(id) ?? 0), last_used_at: now }))
        .where('id', '=', id)
        .execute();
    }
    for (const chunk of chunksOf(ids)) {
      await trx
        .updateTable('artifact_bundle')
        .set({ last_used_at: now })
        .where('id', 'in', (query) => query.selectFrom('artifact').select('bundle_id').where('id', 'in', chunk))
        .where((row) => row.or([row('last_used_at', 'is', null), row('last_used_at', '<', now - usedEveryMs)]))
        .execute();
    }
  });
}
