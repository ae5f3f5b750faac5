/** Limits of issues, set by hand: how many of their events are stored, and what waits to be counted. */
import type { Generated } from 'kysely';

export interface IssueLimitTable {
  issue_id: number;
  project_id: number;
  /** Null: none any more; the row is there for what waits of it. */
  events: number | null;
  per: string;
  /** Number of the minute or hour since the epoch in which `kept` counts. */
  period: number;
  kept: number;
  /** JSON: what was kept out, and stands on no stored event yet. */
  waiting: string;
  /** The merged issue whose limit it is; null for one of its own. */
  taken_from: number | null;
  /** It holds for what is received after that. */
  created_at: number;
}

export interface IssueLimitBatchTable {
  id: Generated<number>;
  project_id: number;
  /** Of the batch, as the events store has it. */
  token: string;
  /** JSON: which events of which hashes are stored, and what stands on them. */
  decided: string;
  /** ms since the epoch; 0: by a version that wrote no time. */
  created_at: number;
}

export interface LimitTables {
  issue_limit: IssueLimitTable;
  issue_limit_batch: IssueLimitBatchTable;
}
