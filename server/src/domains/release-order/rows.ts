/** Rows of releases and commits as the domain sees them. */
import type { Selectable } from 'kysely';
import type { ReleaseTable } from '../../ports/state/release-tables.ts';
import type { CommitRow, ReleaseRow } from './types.ts';

export const toRelease = (row: Selectable<ReleaseTable>): ReleaseRow => ({
  id: row.id,
  organizationId: row.organization_id,
  version: row.version,
  status: row.status,
  ref: row.ref,
  url: row.url,
  dateStarted: row.date_started,
  dateReleased: row.date_released,
  orderedAt: row.ordered_at,
  createdAt: row.created_at,
});

/** Columns of a commit joined with its repository, for `toCommit`. */
export const commitColumns = [
  'commit.sha as sha',
  'commit.message as message',
  'commit.author_name as authorName',
  'commit.author_email as authorEmail',
  'commit.committed_at as committedAt',
  'repository.id as repositoryId',
  'repository.name as repositoryName',
  'repository.provider as provider',
  'repository.url as repositoryUrl',
  'repository.is_configured as isConfigured',
] as const;

export interface JoinedCommit {
  readonly sha: string;
  readonly message: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly committedAt: number;
  readonly repositoryId: number;
  readonly repositoryName: string;
  readonly provider: string;
  readonly repositoryUrl: string;
  readonly isConfigured: number;
}

export const toCommit = (row: JoinedCommit): CommitRow => ({
  sha: row.sha,
  message: row.message,
  authorName: row.authorName,
  authorEmail: row.authorEmail,
  committedAt: row.committedAt,
  repository: {
    id: row.repositoryId,
    name: row.repositoryName,
    provider: row.provider,
    url: row.repositoryUrl,
    isConfigured: row.isConfigured === 1,
  },
});

/** Stays below the limits on bound parameters with the widest row. */
export const rowsAtOnce = 500;
