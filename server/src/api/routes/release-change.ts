/** Bodies of release calls as the domain takes them. */
import type { z } from 'zod';
import { CodedError } from '../../errors.ts';
import type { Project } from '../../projects/index.ts';
import { type GivenCommit, type GivenRef, parseGivenTime, type ReleaseChange } from '../../releases/index.ts';
import type * as contract from '../contract/releases.ts';

type Change = z.output<typeof contract.updateRelease.body>;

/** Throws `INPUT_INVALID`. `now` is ms since the epoch. */
export function readChange(given: Change, projects: readonly Project[], now: number): ReleaseChange {
  const time = (name: string, value: string | number | null | undefined): number | null | undefined =>
    value === null || value === undefined ? value : parseGivenTime(name, value);
  return {
    projectIds: projects.map((project) => project.id),
    ref: given.ref,
    url: given.url,
    dateStarted: time('dateStarted', given.dateStarted),
    dateReleased: time('dateReleased', given.dateReleased),
    status: statusOf(given.status),
    commits: given.commits?.map((commit) => readCommit(commit, now)),
    refs: given.refs?.map(readRef) ?? given.headCommits?.map(readHead),
  };
}

function statusOf(status: string | null | undefined): 'open' | 'archived' | undefined {
  if (status === null || status === undefined) return undefined;
  if (status === 'open' || status === 'archived') return status;
  throw new CodedError('INPUT_INVALID', ['field status: must be open or archived']);
}

function readCommit(commit: NonNullable<Change['commits']>[number], now: number): GivenCommit {
  const { timestamp } = commit;
  return {
    id: commit.id,
    repository: commit.repository?.trim() ?? '',
    message: commit.message ?? '',
    authorName: commit.author_name ?? '',
    authorEmail: commit.author_email ?? '',
    committedAt: timestamp === null || timestamp === undefined ? now : parseGivenTime('timestamp', timestamp),
    files: commit.patch_set ?? [],
  };
}

const readRef = (ref: NonNullable<Change['refs']>[number]): GivenRef => ({
  repository: ref.repository,
  commit: ref.commit,
  previousCommit: ref.previousCommit || null,
});

const readHead = (head: NonNullable<Change['headCommits']>[number]): GivenRef => ({
  repository: head.repository.trim(),
  commit: head.currentId,
  previousCommit: head.previousId || null,
});
