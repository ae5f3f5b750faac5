/** Uploads of builds: chunks, bundles, and what became of them. */
import type { z } from 'zod';
import multipart, { type MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import * as artifacts from '../../domains/artifacts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { readOver } from '../../base/read-over.ts';
import { lastUpload, uploads } from '../../base/texts/artifacts.ts';
import { things } from '../../base/texts/things.ts';
import * as contract from './contract.ts';
import { uploadDebugFileRoute } from './debug-file-routes.ts';
import { bundleIdOf } from './ids.ts';
import { readable } from './multipart.ts';
import { type Api, type Call, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { iso, isoOrNull } from '../shared/read.ts';
import { seenProjects, type Viewer } from '../../domains/projects/index.ts';

const { chunkSize, chunksPerRequest, maxRequestSize, maxBundleSize, requestSlack } = artifacts.uploadLimits;
export function artifactRoutes(api: Api): void {
  const { state, indexer, getUrl } = api.deps;

  /** A bundle may be of other projects as well. */
  const shownProjects = async (viewer: Viewer): Promise<(slug: string) => boolean> => {
    if (!viewer.within) return () => true;
    const slugs = new Set((await seenProjects(state, viewer)).map(({ slug }) => slug));
    return (slug) => slugs.has(slug);
  };

  implement(api, contract.getChunkUpload, async ({ caller }) => ({
    url: `${getUrl()}/api/0/organizations/${caller.membership.slug}/chunk-upload/`,
    chunkSize,
    chunksPerRequest,
    maxRequestSize,
    maxFileSize: maxBundleSize,
    concurrency: 4,
    hashAlgorithm: 'sha1' as const,
    compression: ['gzip'],
    accept: [
      'release_files',
      'artifact_bundles',
      'artifact_bundles_v2',
      'debug_files',
      'proguard',
      'sources',
      'bundle',
    ],
  }));

  implement(api, contract.assembleBundle, async ({ caller, body }) => {
    const { version, dist, ...request } = body;
    const { organizationId, within } = caller.membership;
    const { missingChunks, ...assembly } = await artifacts.assembleBundle(
      state,
      { ...request, organizationId, within, release: version ?? '', dist: dist ?? '' },
      { indexVersion: artifacts.indexVersion },
    );
    if (assembly.state !== 'not_found') indexer?.wake();
    return { ...assembly, missingChunks: [...missingChunks] };
  });

  implement(api, contract.listBundles, async ({ caller, query, request, reply }) => {
    const cursor = parseCursor(query.cursor);
    const rows = await artifacts.listBundles(state, caller.project.id, {
      text: query.query ?? '',
      release: query.release,
      offset: cursor?.offset ?? 0,
      limit: query.limit + 1,
    });
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    const shown = await shownProjects(caller.membership);
    return page.rows.map((one) => toBundle(one, shown));
  });

  implement(api, contract.deleteBundle, async ({ caller, query, recorded }) => {
    const id = bundleIdOf(query.bundleId);
    const bundle = await artifacts.getBundle(state, caller.project.id, id);
    await recorded(async (inside, note) => {
      if (!(await artifacts.removeBundle(inside, caller.project.id, id))) {
        throw new CodedError('NOT_FOUND', [things.bundle(query.bundleId)]);
      }
      note({ id, name: bundle?.release || (bundle?.checksum ?? ''), project: caller.project.slug });
    });
  });

  implement(api, contract.getBundleFiles, async ({ caller, params, query, request, reply }) => {
    const bundle = await artifacts.getBundle(state, caller.project.id, bundleIdOf(params.bundle));
    if (!bundle) throw new CodedError('NOT_FOUND', [things.bundle(params.bundle)]);
    const cursor = parseCursor(query.cursor);
    const slice = { offset: cursor?.offset ?? 0, limit: query.limit + 1 };
    const page = pageOf(await artifacts.listArtifacts(state, bundle.id, slice), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    const shown = await shownProjects(caller.membership);
    return { ...toBundle(bundle, shown), files: page.rows.map(toArtifact) };
  });

  const releaseFiles = async (
    organizationId: string,
    asked: Parameters<typeof artifacts.listReleaseArtifacts>[2],
    { query, request, reply }: Pick<Call<typeof contract.listReleaseFiles>, 'query' | 'request' | 'reply'>,
  ) => {
    const cursor = parseCursor(query.cursor);
    const slice = { offset: cursor?.offset ?? 0, limit: query.limit + 1 };
    const page = pageOf(await artifacts.listReleaseArtifacts(state, organizationId, asked, slice), cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toArtifact);
  };
  implement(api, contract.listReleaseFiles, async (call) => {
    const { organizationId, within } = call.caller.membership;
    const projectIds = within && [...within.projectIds];
    return releaseFiles(organizationId, { release: call.params.version, projectIds }, call);
  });
  implement(api, contract.listProjectReleaseFiles, async (call) => {
    const { membership, project } = call.caller;
    return releaseFiles(membership.organizationId, { release: call.params.version, projectIds: [project.id] }, call);
  });

  implement(api, contract.getSourceMaps, async ({ caller }) => {
    const { lastBundle, lastUsedAt, ...numbers } = await artifacts.sourceMapState(state, caller.project.id);
    return {
      ...numbers,
      ...stateInWords(lastBundle),
      lastUpload: lastBundle ? iso(lastBundle.uploadedAt) : null,
      lastUsed: isoOrNull(lastUsedAt),
      lastBundle: lastBundle ? toBundle(lastBundle, await shownProjects(caller.membership)) : null,
    };
  });
}

/** The one route whose body is no JSON and larger than others; `api.app` is a scope of its own. */
export async function chunkRoutes(api: Api): Promise<void> {
  const { state, blobs, config } = api.deps;
  await api.app.register(multipart, {
    throwFileSizeLimit: false,
    // What gzip makes larger is a few bytes per chunk.
    limits: { fileSize: chunkSize + requestSlack, files: chunksPerRequest, fields: 16, fieldSize: 1024, parts: 128 },
  });
  uploadDebugFileRoute(api);
  implement(api, contract.postChunks, async ({ caller, request }) => {
    if (!blobs) throw new Error('The server has no blob store');
    checkUpload(request);
    const store = (part: MultipartFile): Promise<void> =>
      storePart({ state, blobs, limitBytes: config.maxUnassembledBytes }, caller.membership.organizationId, part);
    try {
      for await (const part of request.files()) await store(part);
    } catch (error) {
      // Multipart leaves it unread, and what comes next on the connection would wait behind it.
      readOver(request.raw);
      throw readable(error);
    }
  });
}

async function storePart(
  stores: artifacts.ChunkStores,
  organizationId: string,
  { fieldname, filename, file }: MultipartFile,
): Promise<void> {
  if (fieldname !== 'file' && fieldname !== 'file_gzip') {
    throw new CodedError('INPUT_INVALID', [uploads.part(fieldname.slice(0, 100))]);
  }
  const gzip = fieldname === 'file_gzip';
  await artifacts.storeChunk(stores, { organizationId, checksum: filename, gzip, body: file });
}

function checkUpload(request: FastifyRequest): void {
  if (!request.isMultipart()) {
    throw new CodedError('INPUT_INVALID', [uploads.notMultipart]);
  }
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > maxRequestSize + requestSlack) throw new CodedError('BODY_TOO_LARGE', [maxRequestSize]);
}

const toBundle = (
  bundle: artifacts.ListedBundle,
  isShown: (slug: string) => boolean,
): z.output<typeof contract.Bundle> => ({
  bundleId: String(bundle.id),
  associations: bundle.release === '' ? [] : [{ release: bundle.release, dist: bundle.dist || null }],
  checksum: bundle.checksum,
  state: bundle.state,
  detail: bundle.detail || null,
  date: iso(bundle.createdAt),
  dateModified: iso(bundle.uploadedAt),
  dateIndexed: isoOrNull(bundle.indexedAt),
  dateLastUsed: isoOrNull(bundle.lastUsedAt),
  sizeBytes: bundle.sizeBytes,
  fileCount: bundle.fileCount,
  projects: bundle.projects.filter(isShown),
  scripts: bundle.scripts,
  mapped: bundle.mapped,
  broken: bundle.broken,
  framesResolved: bundle.framesResolved,
});

const toArtifact = (artifact: artifacts.ListedArtifact): z.output<typeof contract.Artifact> => ({
  id: String(artifact.id),
  bundleId: String(artifact.bundleId),
  name: artifact.url,
  debugId: artifact.debugId || null,
  dist: artifact.dist || null,
  mapUrl: artifact.mapUrl || null,
  scriptSize: artifact.scriptBytes,
  mapSize: artifact.mapBytes,
  sources: artifact.sources,
  mapped: artifact.mapped,
  problem: artifact.problem || null,
  framesResolved: artifact.framesResolved,
  dateLastUsed: isoOrNull(artifact.lastUsedAt),
});

function stateInWords(last: artifacts.ListedBundle | undefined): {
  state: 'none' | 'indexing' | 'ok' | 'problems' | 'error';
  detail: string | null;
} {
  if (!last) return { state: 'none', detail: null };
  if (last.state === 'error') return { state: 'error', detail: last.detail };
  if (last.state !== 'ok') return { state: 'indexing', detail: null };
  if (last.scripts === 0) {
    return { state: 'problems', detail: lastUpload.noScripts };
  }
  if (last.mapped === 0 && last.broken === 0) {
    return {
      state: 'problems',
      detail: lastUpload.noMaps,
    };
  }
  // Bundlers write small scripts of their own without a map; that is as it should be.
  if (last.broken === 0) return { state: 'ok', detail: null };
  return {
    state: 'problems',
    detail: lastUpload.broken(last.broken, last.scripts),
  };
}
