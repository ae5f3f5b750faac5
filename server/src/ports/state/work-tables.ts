/** Tables of the work on issues: who has it, who follows it, who saw it, changes of many at once, what is discarded. Times are ms since the epoch. */
import type { BulkState } from '../../base/live.ts';
import type { Generated } from 'kysely';
import type { ClaimColumns } from './job-tables.ts';

/** Somebody's own mark on an issue. */
export interface IssueBookmarkTable {
  issue_id: number;
  user_id: string;
  created_at: number;
}

/** Why somebody hears of an issue, the strongest first; `manual` is their own word. */
export type SubscriptionReason = 'manual' | 'mentioned' | 'assigned' | 'commented' | 'bookmarked' | 'changed';

export interface IssueSubscriptionTable {
  issue_id: number;
  user_id: string;
  /** 0: they said that they do not want to hear of it, and no reason of ours changes that. */
  is_active: number;
  reason: SubscriptionReason;
  created_at: number;
}

/** When somebody last opened an issue. */
export interface IssueSeenTable {
  issue_id: number;
  user_id: string;
  seen_at: number;
}

/** The secret under which anybody may read an issue. */
export interface IssueShareTable {
  issue_id: number;
  /** 32 hex digits. */
  share_id: string;
  user_id: string | null;
  created_at: number;
}

/** What is left of an issue whose further events are not wanted. */
export interface TombstoneTable {
  id: Generated<number>;
  project_id: number;
  /** Of its short id. */
  number: number;
  level: string;
  title: string;
  culprit: string;
  type: string;
  /** JSON, as of the issue. */
  metadata: string;
  user_id: string | null;
  created_at: number;
}

/** A hash whose events are dropped. */
export interface DiscardedHashTable {
  project_id: number;
  hash: string;
  tombstone_id: number;
}

/** One change of any number of issues. */
export interface BulkJobTable extends ClaimColumns {
  id: Generated<number>;
  organization_id: string;
  user_id: string;
  /** JSON: `asked`, as the API was given it, and `change`, the `IssueChange` that it means. */
  change: string;
  state: BulkState;
  total: number;
  /** Issues from the first that are through; while it is undone, those that are left. */
  done: number;
  changed: number;
  /** What went wrong, in words; '' for nothing. */
  detail: string;
  undoable_until: number | null;
  created_at: number;
  finished_at: number | null;
}

/** An issue of such a change. */
export interface BulkItemTable {
  job_id: number;
  /** From 1, in the order of the change. */
  position: number;
  issue_id: number;
  /** JSON of what undoing needs; null until it was changed, '' where nothing changed. */
  before: string | null;
}

export interface WorkTables {
  issue_bookmark: IssueBookmarkTable;
  issue_subscription: IssueSubscriptionTable;
  issue_seen: IssueSeenTable;
  issue_share: IssueShareTable;
  tombstone: TombstoneTable;
  discarded_hash: DiscardedHashTable;
  bulk_job: BulkJobTable;
  bulk_item: BulkItemTable;
}
