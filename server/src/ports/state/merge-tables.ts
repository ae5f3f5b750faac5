/** Tables of issues that were merged by hand, and of what makes issues alike. Times are ms since the epoch. */
import type { Generated } from 'kysely';

/** An issue that was merged: what it was before, so that it can be that again. */
export interface IssueMergeTable {
  child_id: number;
  project_id: number;
  /** The issue that it was merged into, which may have been merged since. */
  parent_id: number;
  status: string;
  substatus: string | null;
  status_changed_at: number | null;
  /** JSON of the parent's status, substatus and status_changed_at where the merge opened it again; '' otherwise. */
  reopened: string;
  user_id: string | null;
  merged_at: number;
}

/** When an issue was seen before others were merged into it. */
export interface IssueOwnTable {
  issue_id: number;
  first_seen: number;
  last_seen: number;
  first_release: string | null;
  last_release: string | null;
}

/** Two issues of which somebody said that they are not the same; the smaller id first. */
export interface IssueApartTable {
  issue_id: number;
  other_id: number;
  user_id: string | null;
  created_at: number;
}

/** A hash that can be found by what is like it. */
export interface HashSignatureTable {
  id: Generated<number>;
  project_id: number;
  hash: string;
}

/** What hashes that are alike share: see `issues/similar/bands.ts`. */
export interface HashBandTable {
  band: number;
  signature_id: number;
}

export interface MergeTables {
  issue_merge: IssueMergeTable;
  issue_own: IssueOwnTable;
  issue_apart: IssueApartTable;
  hash_signature: HashSignatureTable;
  hash_band: HashBandTable;
}
