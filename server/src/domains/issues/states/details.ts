/** What a status says beyond its name: in which release, until when, by whom. Stored as JSON with the issue. */
import type { Ordered } from '../../release-order/index.ts';

export interface ArchiveCondition {
  /** Minutes, as it was asked for; `until` is when it ends. */
  readonly ignoreDuration?: number | undefined;
  /** Events since it was archived; within so many minutes, where a window is given. */
  readonly ignoreCount?: number | undefined;
  readonly ignoreWindow?: number | undefined;
  /** Different users since it was archived; within so many minutes, where a window is given. */
  readonly ignoreUserCount?: number | undefined;
  readonly ignoreUserWindow?: number | undefined;
}

export interface CommitName {
  /** The hash, or at least seven digits from its beginning. */
  readonly commit: string;
  /** Its name; '' for whichever has the commit. */
  readonly repository: string;
}

export interface StatusDetails extends ArchiveCondition {
  /** Who brought it about; nobody where nothing is said. */
  readonly by?: string | undefined;
  readonly inNextRelease?: true | undefined;
  /** The newest release of each package when it was resolved in the next one. */
  readonly after?: readonly Ordered[] | undefined;
  readonly inRelease?: string | undefined;
  readonly inCommit?: CommitName | undefined;
  /** End of the time for which it is archived, ms since the epoch. */
  readonly until?: number | undefined;
}

export const parseDetails = (json: string): StatusDetails => JSON.parse(json) as StatusDetails;
