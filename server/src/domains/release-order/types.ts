/** Shapes that the queries and commands of releases take and give. Times are ms since the epoch. */

export interface ReleaseRow {
  readonly id: number;
  readonly organizationId: string;
  readonly version: string;
  readonly status: 'open' | 'archived';
  readonly ref: string | null;
  readonly url: string | null;
  readonly dateStarted: number | null;
  readonly dateReleased: number | null;
  /** When it was released, else when it was made. */
  readonly orderedAt: number;
  readonly createdAt: number;
}

/** What clients and events call a repository, and where it is. */
export interface CommitRepositoryRow {
  readonly id: number;
  readonly name: string;
  readonly provider: string;
  readonly url: string;
  readonly isConfigured: boolean;
}

export interface CommitRow {
  readonly sha: string;
  readonly message: string;
  readonly authorName: string;
  readonly authorEmail: string;
  readonly committedAt: number;
  readonly repository: CommitRepositoryRow;
}

export interface DeployRow {
  readonly id: number;
  readonly environment: string;
  readonly name: string;
  readonly url: string;
  readonly dateStarted: number | null;
  readonly dateFinished: number;
}
