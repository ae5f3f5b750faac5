/** Backups and what they must not bring back. */
import type { Generated } from 'kysely';

/** One run of a backup: waiting → running → done or failed. */
export interface BackupRunTable {
  id: Generated<number>;
  /** Whose data directory it is; no other node can take it. */
  node: string;
  /** Absolute, on that node. */
  dir: string;
  asked_by: 'command' | 'schedule';
  /** JSON. */
  options: string;
  /** Sealed passphrase or key, until it is over; '' for none. */
  credential: string;
  state: 'waiting' | 'running' | 'done' | 'failed';
  attempts: number;
  /** JSON; '' while nothing is known. */
  progress: string;
  /** JSON of what was taken; '' until then. */
  result: string;
  /** What went wrong, in words; '' for nothing. */
  detail: string;
  created_at: number;
  began_at: number | null;
  ended_at: number | null;
}

/** Something that a person has deleted. Ids of an installation that was restored may come again: when it was made tells which it was. */
export interface DeletionTable {
  id: Generated<number>;
  kind: 'project' | 'issue' | 'discarded_issue' | 'person';
  target_id: number;
  made_at: number;
  deleted_at: number;
  /** Of a person: sealed, what they are known by; '' otherwise. */
  detail: Generated<string>;
}

export interface BackupTables {
  deletion: DeletionTable;
  backup_run: BackupRunTable;
}
