/** Debug files: mappings of ProGuard and bundles of sources. */
import type { z } from 'zod';
import * as artifacts from '../../domains/artifacts/index.ts';
import { CodedError } from '../../base/errors.ts';
import { readOver } from '../../base/read-over.ts';
import { debugFileProblems, uploads } from '../../base/texts/artifacts.ts';
import { things } from '../../base/texts/things.ts';
import { markNamed } from '../../domains/releases/index.ts';
import * as contract from './contract.ts';
import { bundleIdOf } from './ids.ts';
import { readable } from './multipart.ts';
import { type Api, implement } from '../shared/implement.ts';
import { linkPages, pageOf, parseCursor } from '../shared/pagination.ts';
import { iso, isoOrNull } from '../shared/read.ts';

const downloads = 'project:releases';
const maxChecksums = 1_000;

export function debugFileRoutes(api: Api): void {
  const { state, blobs, indexer, getUrl } = api.deps;

  implement(api, contract.assembleDebugFiles, async ({ caller, body }) => {
    const { organizationId, within } = caller.membership;
    const answers: z.input<NonNullable<typeof contract.assembleDebugFiles.response>> = {};
    const native = new Set<string>();
    for (const [checksum, { name, debug_id: debugId, chunks }] of Object.entries(body)) {
      if (!artifacts.mayBeDebugFile(name, debugId ?? '')) native.add(checksum);
      else if (blobs && (await artifacts.startsNative(blobs, organizationId, chunks))) native.add(checksum);
    }
    /** Whether the sources of a native file come with it, or came before: they are what is used of it. */
    const hasSources = async (id: string): Promise<boolean> =>
      Object.entries(body).some(([other, file]) => file.debug_id === id && !native.has(other)) ||
      (await artifacts.listDebugFiles(state, caller.project.id, { text: id, offset: 0, limit: 1 })).length > 0;
    for (const [checksum, { name, debug_id: debugId, chunks }] of Object.entries(body)) {
      if (native.has(checksum)) {
        const isFine = debugId ? await hasSources(debugId) : false;
        answers[checksum] = isFine
          ? { state: 'ok', missingChunks: [], detail: debugFileProblems.nativeWithSources, dif: null }
          : { state: 'error', missingChunks: [], detail: debugFileProblems.native, dif: null };
        continue;
      }
      const { missingChunks, ...assembly } = await artifacts.assembleBundle(
        state,
        {
          organizationId,
          within,
          checksum,
          chunks,
          projects: [caller.project.slug],
          release: '',
          dist: '',
          debugFile: { name, debugId: artifacts.debugIdOf(name, debugId ?? '') },
        },
        { indexVersion: artifacts.indexVersion },
      );
      if (assembly.state !== 'not_found') indexer?.wake();
      const [file] =
        assembly.state === 'ok'
          ? await artifacts.listDebugFiles(state, caller.project.id, { checksum, offset: 0, limit: 1 })
          : [];
      // What can be used by name alone is told before it was: a problem of the file is no failure of the upload.
      const problem = file?.problem ? { state: 'error' as const, detail: file.problem } : assembly;
      answers[checksum] = { ...problem, missingChunks: [...missingChunks], dif: file ? toDebugFile(file) : null };
    }
    return answers;
  });

  implement(api, contract.listDebugFiles, async ({ caller, query, request, reply }) => {
    if (query.id !== undefined) {
      // Whoever may read how many there are may not read all sources.
      if (!caller.membership.scopes.includes(downloads)) throw new CodedError('SCOPE_MISSING', [downloads]);
      const found = await artifacts.openDebugFile({ state, blobs }, caller.project.id, bundleIdOf(query.id));
      if (!found) throw new CodedError('NOT_FOUND', [things.bundle(query.id)]);
      void reply.headers({
        'content-type': 'application/octet-stream',
        'content-length': found.sizeBytes,
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.fileName)}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
      await reply.send(found.stream);
      return [];
    }
    const cursor = parseCursor(query.cursor);
    const slice = { offset: cursor?.offset ?? 0, limit: query.limit + 1 };
    const rows = await artifacts.listDebugFiles(state, caller.project.id, { text: query.query ?? '', ...slice });
    const page = pageOf(rows, cursor, query.limit);
    linkPages(request, reply, getUrl(), page);
    return page.rows.map(toDebugFile);
  });

  implement(api, contract.findMissingDebugFiles, async ({ caller, query }) => {
    const checksums = query.checksums.slice(0, maxChecksums);
    const known = await artifacts.knownDebugFiles(state, caller.project.id, checksums);
    return { missing: checksums.filter((one) => !known.has(one.toLowerCase())) };
  });

  implement(api, contract.deleteDebugFile, async ({ caller, query, recorded }) => {
    const id = bundleIdOf(query.id);
    const [file] = await artifacts.listDebugFiles(state, caller.project.id, { id, offset: 0, limit: 1 });
    await recorded(async (inside, note) => {
      if (!file || !(await artifacts.removeBundle(inside, caller.project.id, id))) {
        throw new CodedError('NOT_FOUND', [things.bundle(query.id)]);
      }
      note({ id, name: file.debugId || file.name, project: caller.project.slug });
    });
  });

  implement(api, contract.associateMapping, async ({ caller, body }) => {
    await state.transaction((trx) => markNamed(trx, caller.membership.organizationId, body.release_name));
    return body;
  });
}

/** In a scope that reads bodies of several parts. */
export function uploadDebugFileRoute(api: Api): void {
  const { state, blobs, indexer, config } = api.deps;
  implement(api, contract.uploadDebugFiles, async ({ caller, request }) => {
    if (!blobs) throw new Error('The server has no blob store');
    if (!request.isMultipart()) throw new CodedError('INPUT_INVALID', [uploads.notMultipart]);
    const { organizationId, within } = caller.membership;
    try {
      const part = await request.file({ limits: { fileSize: artifacts.uploadLimits.maxMappingZipBytes } });
      if (!part) throw new CodedError('INPUT_INVALID', [uploads.notMultipart]);
      const stores = { state, blobs, limitBytes: config.maxUnassembledBytes };
      const ids = await artifacts.receiveMappings(
        stores,
        { organizationId, within, projects: [caller.project.slug], release: '', dist: '' },
        part.file,
      );
      if (part.file.truncated) throw new CodedError('BODY_TOO_LARGE', [artifacts.uploadLimits.maxMappingZipBytes]);
      indexer?.wake();
      const files = await artifacts.listDebugFiles(state, caller.project.id, { offset: 0, limit: 100 });
      return files.filter(({ debugId }) => ids.includes(debugId)).map(toDebugFile);
    } catch (error) {
      readOver(request.raw);
      throw readable(error);
    }
  });
}

const symbolTypes = { mapping: 'proguard', sources: 'sourcebundle', script: 'unknown' } as const;

const toDebugFile = (file: artifacts.ListedDebugFile): z.output<typeof contract.DebugFile> => ({
  id: String(file.id),
  uuid: file.debugId,
  debugId: file.debugId,
  objectName: file.kind === 'mapping' ? 'proguard-mapping' : file.name,
  cpuName: 'any',
  symbolType: file.kind ? symbolTypes[file.kind] : 'unknown',
  size: file.sizeBytes,
  sha1: file.checksum,
  state: file.state,
  detail: file.detail || file.problem || null,
  entries: file.entries,
  framesResolved: file.framesResolved,
  dateCreated: iso(file.createdAt),
  dateModified: iso(file.uploadedAt),
  dateLastUsed: isoOrNull(file.lastUsedAt),
  data: {
    ...(file.kind === 'sources' && { type: 'src' }),
    features: file.kind === 'mapping' ? ['mapping'] : ['sources'],
  },
});
