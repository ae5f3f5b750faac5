/** Bodies of release calls as the domain takes them. */
import type { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import type { Project } from '../../domains/projects/index.ts';
import {
  type ReportedCommit,
  type ReportedRef,
  parseTimeInput,
  type ReleaseChange,
} from '../../domains/releases/index.ts';
import { requests } from '../../base/texts/requests.ts';
import { invalid } from '../../base/texts/validation.ts';
import type * as contract from './contract.ts';

type Change = z.output<typeof contract.updateRelease.body>;

/** Throws `INPUT_INVALID`. `now` is ms since the epoch. */
export function readChange(request: Change, projects: readonly Project[], now: number): ReleaseChange {
  const time = (name: string, value: string | number | null | undefined): number | null | undefined =>
    value === null || value === undefined ? value : parseTimeInput(name, value);
  return {
    projectIds: projects.map((project) => project.id),
    ref: request.ref,
    url: request.url,
    dateStarted: time('dateStarted', request.dateStarted),
    dateReleased: time('dateReleased', request.dateReleased),
    status: statusOf(request.status),
    commits: request.commits?.map((commit) => readCommit(commit, now)),
    refs: request.refs?.map(readRef) ?? request.headCommits?.map(readHead),
  };
}

function statusOf(status: string | null | undefined): 'open' | 'archived' | undefined {
  if (status === null || status === undefined) return undefined;
  if (status === 'open' || status === 'archived') return status;
  throw new CodedError('INPUT_INVALID', [requests.field('status', invalid.either(['open', 'archived']))]);
}

function readCommit(commit: NonNullable<Change['commits']>[number], now: number): ReportedCommit {
  const { timestamp } = commit;
  return {
    id: commit.id,
    repository: commit.repository?.trim() ?? '',
    message: commit.message ?? '',
    authorName: commit.author_name ?? '',
    authorEmail: commit.author_email ?? '',
    committedAt: timestamp === null || timestamp === undefined ? now : parseTimeInput('timestamp', timestamp),
    files: commit.patch_set ?? [],
  };
}

const readRef = (ref: NonNullable<Change['refs']>[number]): ReportedRef => ({
  repository: ref.repository,
  commit: ref.commit,
  previousCommit: ref.previousCommit || null,
});

const readHead = (head: NonNullable<Change['headCommits']>[number]): ReportedRef => ({
  repository: head.repository.trim(),
  commit: head.currentId,
  previousCommit: head.previousId || null,
});
