/** Debug files of a project as people see them. */
import type { Blobs } from '../../ports/blobs/blobs.ts';
import type { State } from '../../ports/state/state.ts';
import { normalDebugId } from './bundle/manifest.ts';
import { bundleKey } from './keys.ts';
import type { ListedBundle, Slice } from './list.ts';

export interface ListedDebugFile extends Pick<
  ListedBundle,
  'id' | 'checksum' | 'state' | 'detail' | 'sizeBytes' | 'createdAt' | 'uploadedAt' | 'lastUsedAt' | 'framesResolved'
> {
  /** Undefined before it was read. */
  readonly kind: 'mapping' | 'sources' | 'script' | undefined;
  readonly name: string;
  readonly debugId: string;
  /** Classes of a mapping, files of a bundle. */
  readonly entries: number;
  readonly problem: string;
}

export interface DebugFileFilter extends Slice {
  /** A debug id, or a part of a name. */
  readonly text?: string;
  readonly id?: number;
  readonly checksum?: string;
}

/** The last uploaded first. */
export async function listDebugFiles(
  state: State,
  projectId: number,
  { text = '', id, checksum, offset, limit }: DebugFileFilter,
): Promise<ListedDebugFile[]> {
  const wanted = text.trim();
  const debugId = normalDebugId(wanted);
  const part = `%${wanted.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = await state.db
    .selectFrom('artifact_bundle as file')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'file.id')
    .leftJoin('artifact', 'artifact.bundle_id', 'file.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('file.kind', '=', 'debug')
    .$if(id !== undefined, (query) => query.where('file.id', '=', id ?? 0))
    .$if(checksum !== undefined, (query) => query.where('file.checksum', '=', (checksum ?? '').toLowerCase()))
    .$if(wanted !== '', (query) =>
      query.where((file) =>
        debugId === undefined
          ? file('file.name', 'like', part)
          : file.or([file('file.debug_id', '=', debugId), file('artifact.debug_id', '=', debugId)]),
      ),
    )
    .select([
      'file.id as id',
      'file.checksum as checksum',
      'file.state as state',
      'file.detail as detail',
      'file.size_bytes as sizeBytes',
      'file.created_at as createdAt',
      'file.uploaded_at as uploadedAt',
      'file.last_used_at as lastUsedAt',
      'file.name as name',
      'file.debug_id as uploadedFor',
      'artifact.kind as kind',
      'artifact.debug_id as debugId',
      'artifact.sources as entries',
      'artifact.problem as problem',
      'artifact.frames_resolved as framesResolved',
    ])
    .orderBy('file.uploaded_at', 'desc')
    .orderBy('file.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map(({ uploadedFor, ...row }) => ({
    ...row,
    kind: row.kind ?? undefined,
    debugId: row.debugId || uploadedFor,
    entries: row.entries ?? 0,
    problem: row.problem ?? '',
    framesResolved: row.framesResolved ?? 0,
  }));
}

/** Those of the checksums of which the project has the file, or has all to make it. */
export async function knownDebugFiles(
  state: State,
  projectId: number,
  checksums: readonly string[],
): Promise<ReadonlySet<string>> {
  const wanted = [...new Set(checksums.map((one) => one.toLowerCase()))];
  if (wanted.length === 0) return new Set();
  const rows = await state.db
    .selectFrom('artifact_bundle as file')
    .innerJoin('artifact_bundle_project', 'artifact_bundle_project.bundle_id', 'file.id')
    .where('artifact_bundle_project.project_id', '=', projectId)
    .where('file.kind', '=', 'debug')
    .where('file.state', '!=', 'error')
    .where('file.checksum', 'in', wanted)
    .select('file.checksum as checksum')
    .execute();
  return new Set(rows.map(({ checksum }) => checksum));
}

export interface OpenedDebugFile {
  readonly stream: NodeJS.ReadableStream;
  readonly sizeBytes: number;
  readonly fileName: string;
}

/** As it was uploaded. Undefined where the project has none, and before it was put together. */
export async function openDebugFile(
  { state, blobs }: { readonly state: State; readonly blobs: Blobs | undefined },
  projectId: number,
  id: number,
): Promise<OpenedDebugFile | undefined> {
  const [file] = await listDebugFiles(state, projectId, { id, offset: 0, limit: 1 });
  if (!file || !blobs) return undefined;
  const { organization_id: organizationId } = await state.db
    .selectFrom('artifact_bundle')
    .select('organization_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const stream = await blobs.stream(bundleKey(organizationId, file.checksum));
  const ending = file.kind === 'mapping' ? 'txt' : file.kind === 'sources' ? 'zip' : 'bin';
  return stream && { stream, sizeBytes: file.sizeBytes, fileName: `${file.debugId || file.checksum}.${ending}` };
}
