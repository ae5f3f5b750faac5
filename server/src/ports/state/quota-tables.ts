/** Tables of quotas. Times are ms since the epoch. */
import type { Generated } from 'kysely';
import type { QuotaCategory, QuotaPeriod } from '../../base/quotas.ts';

export interface QuotaTable {
  id: Generated<number>;
  organization_id: string;
  /** Null where it is of the whole organisation. */
  project_id: number | null;
  /** Null where it is not of a key; a key's has its project, too. */
  key_id: number | null;
  /** Who is counted together: `organization:9f…`, `project:3`, `key:7`. */
  target: string;
  category: QuotaCategory;
  period: QuotaPeriod;
  /** Items, or bytes of attachments. */
  amount: number;
  /** 1: what is over is not taken. 0: it only tells. */
  is_hard: number;
  /** The month, or for minutes the day since the epoch, of which people were told last. */
  told_term: Generated<number>;
  /** How much of it was used, as they were told: 80 or 100; 0 for nothing. */
  told_percent: Generated<number>;
  created_at: number;
}

/** What was taken, whether or not a quota is about it. */
export interface QuotaUseTable {
  target: string;
  category: QuotaCategory;
  period: QuotaPeriod;
  /** Months since the year 0, or minutes since the epoch. */
  term: number;
  used: number;
}

export interface QuotaTables {
  quota: QuotaTable;
  quota_use: QuotaUseTable;
}
