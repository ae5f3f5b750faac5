/**
 * Suspect commits: those that came with the release where an issue was first seen and touched the file that threw.
 * Nothing is guessed: where two files could be meant, or a mapping says that it is another, there is no suspect.
 */
import { type CodeMapping, mapFrame, matchFile, plainPathOfFrame } from '../repositories/index.ts';
import type { State } from '../../ports/state/state.ts';
import { type CommitWithFiles, listCommits } from './commits.ts';
import { findRelease, neighboursOf, projectsOf } from './queries.ts';
import type { ReleaseRow } from '../release-order/index.ts';

/** The newest frame of the project's own code, where its source is known. */
export interface SuspectFrame {
  readonly filename: string | null;
  readonly absPath: string | null;
  readonly module?: string | null;
  readonly function: string | null;
  readonly lineNo: number | null;
}

export interface Suspect {
  readonly commit: CommitWithFiles;
  /** As the repository has it. */
  readonly file: string;
  readonly how: 'mapped' | 'suffix' | 'name';
}

type Problem = 'no_release' | 'no_frame' | 'no_commits' | 'no_files' | 'no_match';

export interface Suspects {
  readonly suspects: readonly Suspect[];
  readonly release: ReleaseRow | undefined;
  readonly since: ReleaseRow | undefined;
  readonly problem: Problem | undefined;
}

const maxSuspects = 5;
const maxCommits = 1_000;
const maxFiles = 2_000;

/** Newest first. */
export function chooseSuspects(
  frame: SuspectFrame,
  commits: readonly CommitWithFiles[],
  mappings: readonly CodeMapping[],
): Suspect[] {
  const touching = (how: Suspect['how'], path: string, counts: (commit: CommitWithFiles) => boolean): Suspect[] =>
    commits
      .filter((commit) => counts(commit) && commit.files.some((file) => file.path === path))
      .slice(0, maxSuspects)
      .map((commit) => ({ commit, file: path, how }));
  const mapped = mapFrame(frame, mappings);
  if (mapped) {
    const { id } = mapped.mapping.repository;
    // What commits only named may be the same repository by the name of its remote.
    return touching('mapped', mapped.path, ({ repository }) => repository.id === id || !repository.isConfigured);
  }
  const files = commits.flatMap((commit) =>
    commit.files.map((file) => ({ ...file, repository: commit.repository.id })),
  );
  const match = matchFile(plainPathOfFrame(frame), files);
  if (!match) return [];
  const { path, repository } = match.file;
  return touching(match.how, path, (commit) => commit.repository.id === repository);
}

export async function findSuspects(
  state: State,
  organizationId: string,
  {
    version,
    frame,
    mappings,
  }: { version: string | null; frame: SuspectFrame | undefined; mappings: readonly CodeMapping[] },
): Promise<Suspects> {
  const release = version === null ? undefined : await findRelease(state, organizationId, version);
  const nothing = { suspects: [], release, since: undefined };
  if (!release) return { ...nothing, problem: 'no_release' };
  const projectIds = await projectsOf(state, release.id);
  const { previous: since } = await neighboursOf(state, { release, projectIds, withCommits: true });
  const commits = await listCommits(state, release.id, {
    offset: 0,
    limit: maxCommits,
    fileLimit: maxFiles,
    notIn: since?.id,
  });
  const found = { ...nothing, since };
  if (!commits.length) return { ...found, problem: 'no_commits' };
  if (!commits.some((commit) => commit.files.length)) return { ...found, problem: 'no_files' };
  if (!frame) return { ...found, problem: 'no_frame' };
  const suspects = chooseSuspects(frame, commits, mappings);
  return { ...found, suspects, problem: suspects.length ? undefined : 'no_match' };
}
