/** The table of mirrors. Times are ms since the epoch. */
import type { Generated } from 'kysely';

/** Where a project forwards what it receives. Counts are of requests, since the mirror was set up. */
export interface MirrorTable {
  project_id: number;
  /** Sealed. */
  dsn: string;
  /** 1 or 0. */
  enabled: number;
  created_at: number;
  forwarded: Generated<number>;
  /** The target said no, and would again. */
  refused: Generated<number>;
  /** Not sent: too old, or there was no room for them. */
  dropped: Generated<number>;
  forwarded_at: Generated<number | null>;
  refused_at: Generated<number | null>;
  /** What the target said last when it refused; '' for nothing. */
  refusal: Generated<string>;
  dropped_at: Generated<number | null>;
  failing_since: Generated<number | null>;
  /** Why the last attempt failed; '' while they succeed. */
  problem: Generated<string>;
}

export interface MirrorTables {
  mirror: MirrorTable;
}
