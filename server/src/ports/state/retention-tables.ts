/** How long each class of data is kept. Times are ms since the epoch. */
import type { Generated } from 'kysely';
import type { RetentionClass } from '../../base/retention.ts';

/** What somebody chose; a class without a row is kept as the configuration says. */
export interface RetentionClassTable {
  class: RetentionClass;
  /** Null: as the configuration says. */
  days: number | null;
  /** Null: without a limit. */
  limit_bytes: number | null;
}

/** What went because of its size, or because the disk was nearly full. */
export interface RetentionDropTable {
  id: Generated<number>;
  class: RetentionClass;
  /** All that is older went. */
  before: number;
  bytes: number;
  rows: number;
  reason: 'size' | 'disk';
  created_at: number;
  /** Null while it is under way; whoever was killed meanwhile goes on. */
  done_at: number | null;
}

/** One row: what was measured last. */
export interface RetentionReportTable {
  id: number;
  at: number;
  /** JSON; `domains/retention/stored.ts` says of what. */
  report: string;
}

/** An age that projects may choose instead of that of the class. */
export interface RetentionPolicyTable {
  id: Generated<number>;
  name: string;
  days: number;
}

/** What a project chose; without a row it has the age of the class. */
export interface ProjectRetentionTable {
  project_id: number;
  class: RetentionClass;
  policy_id: number;
}

export interface RetentionTables {
  project_retention: ProjectRetentionTable;
  retention_class: RetentionClassTable;
  retention_drop: RetentionDropTable;
  retention_policy: RetentionPolicyTable;
  retention_report: RetentionReportTable;
}
