/** Code mappings that would fit: paths of frames put beside the files of known commits. */
import type { State } from '../../ports/state/state.ts';
import { commonEnd, type FramePath, matchFile, plainPath, spellingsOf } from './paths.ts';
import { listRepositories } from './repositories.ts';
import type { CodeMapping, Repository } from './types.ts';
import { mapFrame } from './links.ts';

export interface MappingSuggestion {
  readonly repository: Repository;
  readonly stackRoot: string;
  readonly sourceRoot: string;
  /** A path of a frame that it is for, and the file to which it leads. */
  readonly frame: string;
  readonly file: string;
  /** Different paths of frames that it covers. */
  readonly frames: number;
}

interface KnownFile {
  readonly path: string;
  readonly repositoryId: number;
}

const maxFiles = 5_000;
const maxPaths = 200;
const maxSuggestions = 5;

/** For frames that no mapping covers yet; the one that covers most first. */
export async function suggestMappings(
  state: State,
  organizationId: string,
  frames: readonly FramePath[],
  mappings: readonly CodeMapping[],
): Promise<MappingSuggestion[]> {
  const uncovered = frames.filter((frame) => !mapFrame(frame, mappings));
  if (!uncovered.length) return [];
  const repositories = await listRepositories(state, organizationId);
  return suggest(uncovered, await filesOf(state, organizationId), repositories);
}

/** Files of the latest commits; of one path the repository that was set up goes first. */
async function filesOf(state: State, organizationId: string): Promise<KnownFile[]> {
  const rows = await state.db
    .selectFrom('repository')
    .innerJoin('commit', 'commit.repository_id', 'repository.id')
    .innerJoin('commit_file', 'commit_file.commit_id', 'commit.id')
    .select(['commit_file.path as path', 'repository.id as repositoryId'])
    .where('repository.organization_id', '=', organizationId)
    .where('commit_file.type', '!=', 'D')
    .orderBy('commit.id', 'desc')
    .limit(maxFiles)
    .execute();
  return [...new Map(rows.map((row) => [`${row.repositoryId}:${row.path}`, row])).values()];
}

/** Pure part of `suggestMappings`. */
export function suggest(
  frames: readonly FramePath[],
  files: readonly KnownFile[],
  repositories: readonly Repository[],
): MappingSuggestion[] {
  const byId = new Map(repositories.map((one) => [one.id, one]));
  const configured = repositories.filter((one) => one.isConfigured);
  const found = new Map<string, MappingSuggestion>();
  const paths = new Map(
    frames.flatMap((frame) =>
      spellingsOf(frame)
        .slice(0, 1)
        .map((path) => [path, frame] as const),
    ),
  );
  for (const path of [...paths.keys()].slice(0, maxPaths)) {
    const match = matchFile(path, files);
    if (!match || match.how !== 'suffix') continue;
    const named = byId.get(match.file.repositoryId);
    // What commits only named has no pages; with one repository set up, that is where the files are.
    const repository = named && !named.isConfigured && configured.length === 1 ? configured[0] : named;
    const roots = rootsOf(path, match.file.path);
    if (!repository || !roots) continue;
    const key = JSON.stringify([repository.id, roots]);
    const before = found.get(key);
    found.set(key, {
      repository,
      ...roots,
      frame: before?.frame ?? path,
      file: before?.file ?? match.file.path,
      frames: (before?.frames ?? 0) + 1,
    });
  }
  return [...found.values()].toSorted((a, b) => b.frames - a.frames).slice(0, maxSuggestions);
}

/** What stands before the parts that both have in common; undefined where the frame's spelling hides them. */
function rootsOf(path: string, file: string): { stackRoot: string; sourceRoot: string } | undefined {
  const shared = file
    .split('/')
    .slice(-commonEnd(plainPath(path), file))
    .join('/');
  const [bare = ''] = path.split(/[?#]/, 1);
  if (!bare.endsWith(shared)) return undefined;
  return {
    stackRoot: bare.slice(0, bare.length - shared.length),
    sourceRoot: file.slice(0, file.length - shared.length),
  };
}
