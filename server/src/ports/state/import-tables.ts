/** Tables of imports from other trackers. Times are ms since the epoch. */
import type { Generated } from 'kysely';
import type { ClaimColumns } from './job-tables.ts';

/** One import: waiting → running → done, failed or cancelled. */
export interface ImportRunTable extends ClaimColumns {
  id: Generated<number>;
  organization_id: string;
  tracker: string;
  url: string;
  /** JSON of `ImportSettings`. */
  settings: string;
  /** Sealed; '' once it is over. */
  token: string;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  /** JSON of `Progress`. */
  progress: string;
  /** JSON of `Report`. */
  report: string;
  /** Why it failed, in words; '' for nothing. */
  detail: string;
  created_at: number;
  finished_at: number | null;
}

/** What came of a thing of another tracker, so that it does not come twice. */
export interface ImportItemTable {
  organization_id: string;
  /** Tracker, address and organisation there. */
  origin: string;
  kind: string;
  foreign_id: string;
  /** The id here; '' where nothing came of it. */
  target: string;
  /** The run that brought it, or looked at it last. */
  run_id: number;
}

export interface ImportTables {
  import_run: ImportRunTable;
  import_item: ImportItemTable;
}
