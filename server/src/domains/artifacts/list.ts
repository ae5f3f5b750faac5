/** Bundles and artifacts as people see them. */
import { sql } from 'kysely';
import { chunksOf } from '../../base/chunks.ts';
import type { State } from '../../ports/state/state.ts';
import { mapProblems } from '../../base/texts/artifacts.ts';
import { normalDebugId } from './bundle/manifest.ts';

export interface ListedBundle {
  readonly id: number;
  readonly checksum: string;
  readonly release: string;
  readonly dist: string;
  readonly state: 'created' | 'assembling' | 'ok' | 'error';
  readonly detail: string;
  readonly sizeBytes: number;
  readonly fileCount: number;
  /** ms since the epoch, as the other times. */
  readonly createdAt: number;
  readonly uploadedAt: number;
  readonly indexedAt: number | null;
  readonly lastUsedAt: number | null;
  /** Slugs. */
  readonly projects: readonly string[];
  readonly scripts: number;
  /** Scripts with a usable map. */
  readonly mapped: number;
  /** Scripts whose map is missing or cannot be used, though they name one. */
  readonly broken: number;
  readonly framesResolved: number;
}

export interface ListedArtifact {
  readonly id: number;
  readonly bundleId: number;
  readonly url: string;
  readonly debugId: string;
  readonly dist: string;
  readonly mapUrl: string;
  readonly scriptBytes: number;
  readonly mapBytes: number;
  readonly sources: number;
  readonly mapped: boolean;
  /** Why its map cannot be used, in words; '' where it can. */
  readonly problem: string;
  readonly framesResolved: number;
  readonly lastUsedAt: number | null;
}

export interface Slice {
  readonly offset: number;
  readonly limit: number;
}

const bundlesOf = (state: State, projectId: number) =>
  state.db
    .selectFrom('artifact_bundle')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact_bundle.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('artifact_bundle.kind', '=', 'scripts');

/** Of a project, the last uploaded first. `text` is a debug id, a part of a URL, a release or a bundle id. */
export async function listBundles(
  state: State,
  projectId: number,
  { text = '', release, offset, limit }: Slice & { readonly text?: string; readonly release?: string | undefined },
): Promise<ListedBundle[]> {
  let query = bundlesOf(state, projectId);
  if (release !== undefined) query = query.where('artifact_bundle.release', '=', release);
  const wanted = text.trim();
  if (wanted !== '') {
    const debugId = normalDebugId(wanted) ?? '';
    const part = `%${wanted.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    query = query.where((bundle) =>
      bundle.or([
        bundle('artifact_bundle.release', '=', wanted),
        bundle('artifact_bundle.checksum', '=', wanted.toLowerCase()),
        bundle('artifact_bundle.id', '=', /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0),
        bundle.exists(
          bundle
            .selectFrom('artifact')
            .select('artifact.id')
            .whereRef('artifact.bundle_id', '=', 'artifact_bundle.id')
            .where((artifact) =>
              debugId === ''
                ? sql<boolean>`${artifact.ref('artifact.url')} like ${part} escape '\\'`
                : artifact('artifact.debug_id', '=', debugId),
            ),
        ),
      ]),
    );
  }
  const rows = await query
    .selectAll('artifact_bundle')
    .orderBy('artifact_bundle.uploaded_at', 'desc')
    .orderBy('artifact_bundle.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return withNumbers(state, rows);
}

/** Undefined where the project has no such bundle. */
export async function getBundle(state: State, projectId: number, id: number): Promise<ListedBundle | undefined> {
  const rows = await bundlesOf(state, projectId).selectAll('artifact_bundle').where('id', '=', id).execute();
  return (await withNumbers(state, rows))[0];
}

interface BundleRow {
  readonly id: number;
  readonly checksum: string;
  readonly release: string;
  readonly dist: string;
  readonly state: ListedBundle['state'];
  readonly detail: string;
  readonly size_bytes: number;
  readonly file_count: number;
  readonly created_at: number;
  readonly uploaded_at: number;
  readonly indexed_at: number | null;
  readonly last_used_at: number | null;
}

async function withNumbers(state: State, rows: readonly BundleRow[]): Promise<ListedBundle[]> {
  const projects = new Map<number, string[]>();
  const numbers = new Map<number, Numbers>();
  for (const chunk of chunksOf(rows.map(({ id }) => id))) {
    const slugs = await state.db
      .selectFrom('artifact_bundle_project')
      .innerJoin('project', 'project.id', 'artifact_bundle_project.project_id')
      .select(['artifact_bundle_project.bundle_id as bundleId', 'project.slug as slug'])
      .where('artifact_bundle_project.bundle_id', 'in', chunk)
      .orderBy('project.slug')
      .execute();
    for (const { bundleId, slug } of slugs) projects.set(bundleId, [...(projects.get(bundleId) ?? []), slug]);
    const sums = await state.db
      .selectFrom('artifact')
      .select(['bundle_id as bundleId', ...numbersOfArtifacts])
      .where('bundle_id', 'in', chunk)
      .where('kind', '=', 'script')
      .groupBy('bundle_id')
      .execute();
    for (const row of sums) numbers.set(row.bundleId, row);
  }
  return rows.map((row) => ({
    id: row.id,
    checksum: row.checksum,
    release: row.release,
    dist: row.dist,
    state: row.state,
    detail: row.detail,
    sizeBytes: row.size_bytes,
    fileCount: row.file_count,
    createdAt: row.created_at,
    uploadedAt: row.uploaded_at,
    indexedAt: row.indexed_at,
    lastUsedAt: row.last_used_at,
    projects: projects.get(row.id) ?? [],
    scripts: numbers.get(row.id)?.scripts ?? 0,
    mapped: numbers.get(row.id)?.mapped ?? 0,
    broken: numbers.get(row.id)?.broken ?? 0,
    framesResolved: numbers.get(row.id)?.framesResolved ?? 0,
  }));
}

interface Numbers {
  readonly scripts: number;
  readonly mapped: number;
  readonly broken: number;
  readonly framesResolved: number;
}

const numbersOfArtifacts = [
  sql<number>`count(*)`.as('scripts'),
  sql<number>`coalesce(sum(case when lookup_key != '' then 1 else 0 end), 0)`.as('mapped'),
  sql<number>`coalesce(sum(case when lookup_key = '' and (problem != '' or map_url != '') then 1 else 0 end), 0)`.as(
    'broken',
  ),
  sql<number>`coalesce(sum(frames_resolved), 0)`.as('framesResolved'),
] as const;

/** Of a bundle, the most used first, then those with a problem. */
export const listArtifacts = async (state: State, bundleId: number, slice: Slice): Promise<ListedArtifact[]> =>
  artifactsPage(
    artifactRows(state).where('artifact.bundle_id', '=', bundleId).where('artifact_bundle.state', '=', 'ok'),
    slice,
  );

/** Of all bundles that were uploaded for a release, or those of them for some projects, the most used first, then those with a problem. */
export const listReleaseArtifacts = async (
  state: State,
  organizationId: string,
  { release, projectIds }: { readonly release: string; readonly projectIds?: readonly number[] | undefined },
  slice: Slice,
): Promise<ListedArtifact[]> =>
  artifactsPage(
    artifactRows(state)
      .where('artifact_bundle.organization_id', '=', organizationId)
      .where('artifact_bundle.release', '=', release)
      .where('artifact_bundle.state', '=', 'ok')
      .$if(projectIds !== undefined, (query) =>
        query.where('artifact_bundle.id', 'in', (eb) =>
          eb
            .selectFrom('artifact_bundle_project')
            .select('artifact_bundle_project.bundle_id')
            .where('artifact_bundle_project.project_id', 'in', projectIds?.length ? projectIds : [0]),
        ),
      ),
    slice,
  );

const artifactRows = (state: State) =>
  state.db
    .selectFrom('artifact')
    .innerJoin('artifact_bundle', 'artifact_bundle.id', 'artifact.bundle_id')
    .where('artifact.kind', '=', 'script')
    .selectAll('artifact')
    .select('artifact_bundle.dist as dist');

async function artifactsPage(query: ReturnType<typeof artifactRows>, slice: Slice): Promise<ListedArtifact[]> {
  const rows = await query
    .orderBy('artifact.frames_resolved', 'desc')
    .orderBy(sql`case when artifact.lookup_key = '' then 0 else 1 end`)
    .orderBy('artifact.id')
    .offset(slice.offset)
    .limit(slice.limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    bundleId: row.bundle_id,
    url: row.url,
    debugId: row.debug_id,
    dist: row.dist,
    mapUrl: row.map_url,
    scriptBytes: row.script_bytes,
    mapBytes: row.map_bytes,
    sources: row.sources,
    mapped: row.lookup_key !== '',
    problem: row.lookup_key === '' ? row.problem || withoutMap(row.map_url) : '',
    framesResolved: row.frames_resolved,
    lastUsedAt: row.last_used_at,
  }));
}

const withoutMap = (mapUrl: string): string => (mapUrl === '' ? mapProblems.noMap : mapProblems.missing(mapUrl));

/** Takes the bundle from the project; without a project it is cleared away. False where the project has no such bundle. */
export async function removeBundle(state: State, projectId: number, id: number): Promise<boolean> {
  return state.transaction(async (trx) => {
    const found = await trx
      .deleteFrom('artifact_bundle_project')
      .where('project_id', '=', projectId)
      .where('bundle_id', '=', id)
      .returning('bundle_id')
      .executeTakeFirst();
    return found !== undefined;
  });
}

export interface SourceMapState extends Numbers {
  readonly bundles: number;
  readonly indexing: number;
  readonly lastUsedAt: number | null;
  readonly lastBundle: ListedBundle | undefined;
}

/** How the source maps of a project are doing. */
export async function sourceMapState(state: State, projectId: number): Promise<SourceMapState> {
  const [lastBundle] = await listBundles(state, projectId, { offset: 0, limit: 1 });
  const bundles = await bundlesOf(state, projectId)
    .select([
      sql<number>`count(*)`.as('bundles'),
      sql<number>`coalesce(sum(case when artifact_bundle.state in ('created', 'assembling') then 1 else 0 end), 0)`.as(
        'indexing',
      ),
      sql<number | null>`max(artifact_bundle.last_used_at)`.as('lastUsedAt'),
    ])
    .executeTakeFirstOrThrow();
  const artifacts = await state.db
    .selectFrom('artifact')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'artifact.bundle_id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('artifact.kind', '=', 'script')
    .select(numbersOfArtifacts)
    .executeTakeFirstOrThrow();
  return { ...bundles, ...artifacts, lastBundle };
}
