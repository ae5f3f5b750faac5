/** Background work. */
import type { Generated } from 'kysely';

/** What every table that holds work has, beside `detail`; read and written in `claims.ts`. */
export interface ClaimColumns {
  /** ms since the epoch. */
  due_at: number;
  /** How often it was claimed since it last succeeded. */
  attempts: number;
  /** The node that has it, or had it last; '' for nobody. */
  claimed_by: string;
  /** Until then nobody else takes it, ms since the epoch; 0 for nobody. */
  claimed_until: number;
}

/** Where rows are made by those who know nothing of that. */
export type ClaimDefaults = { [Column in keyof ClaimColumns]: Generated<ClaimColumns[Column]> };

/** A kind of background work, as it was last seen on any node. */
export interface JobTable extends ClaimColumns {
  name: string;
  /** Of the last run, ms since the epoch. */
  began_at: number | null;
  ended_at: number | null;
  /** Why the last run that failed did; '' for none. */
  detail: string;
  failed_at: number | null;
  /** Rows that it has to work on, where it works on rows. */
  waiting: number | null;
  running: number | null;
  /** When this was written, ms since the epoch. */
  noted_at: number;
}

export interface JobTables {
  job: JobTable;
}
