/** Tables of Explore. */
import type { Generated } from 'kysely';
import type { ClaimColumns } from './job-tables.ts';

/** A result that is written to a file in the background. */
export interface DataExportTable extends ClaimColumns {
  id: Generated<number>;
  organization_id: string;
  /** Who asked for it. */
  user_id: string;
  format: 'csv' | 'jsonl';
  /** JSON of the question as it was asked. */
  question: string;
  /** JSON array of the ids of the projects that it is about. */
  project_ids: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** So many rows are written at most. */
  row_limit: number;
  row_count: number;
  /** Rows that were found; null until they were counted. */
  total: number | null;
  size_bytes: number;
  /** What went wrong, in words; '' for nothing. */
  detail: string;
  created_at: number;
  finished_at: number | null;
}

export interface ExploreTables {
  data_export: DataExportTable;
}
