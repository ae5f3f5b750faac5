/** Limits of issues, and what batches decided by them. */
import type { Migration } from './migration.ts';

export const issueLimits: Migration = {
  name: '0070-issue-limits',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('issue_limit')
      .addColumn('issue_id', 'integer', (column) => column.primaryKey().references('issue.id').onDelete('cascade'))
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('events', 'integer')
      .addColumn('per', 'text', (column) => column.notNull())
      .addColumn('period', 'bigint', (column) => column.notNull())
      .addColumn('kept', 'integer', (column) => column.notNull())
      .addColumn('waiting', 'text', (column) => column.notNull())
      .addColumn('taken_from', 'integer', (column) => column.references('issue.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('issue_limit_project').on('issue_limit').column('project_id').execute();
    await db.schema.createIndex('issue_limit_taken_from').on('issue_limit').column('taken_from').execute();
    await db.schema
      .createTable('issue_limit_batch')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('decided', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('issue_limit_batch_token')
      .on('issue_limit_batch')
      .columns(['project_id', 'token'])
      .unique()
      .execute();
  },
};
