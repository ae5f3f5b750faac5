/** Debug files of a project as people see them. */
import type { State } from '../../ports/state/state.ts';
import { normalDebugId } from './bundle/manifest.ts';
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
