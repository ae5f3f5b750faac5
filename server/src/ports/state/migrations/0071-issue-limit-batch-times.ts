/** Since when what a batch decided is there; 0 where a node of an earlier version wrote it. */
import type { Migration } from './migration.ts';

export const issueLimitBatchTimes: Migration = {
  name: '0071-issue-limit-batch-times',
  kind: 'expand',
  async up(db) {
    await db.schema
      .alterTable('issue_limit_batch')
      .addColumn('created_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
