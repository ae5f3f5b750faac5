/** Imports from other trackers: runs, and what has come already. */
import type { Migration } from './migration.ts';

export const imports: Migration = {
  name: '0043-imports',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('import_run')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('tracker', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('report', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema.createIndex('import_run_state').on('import_run').column('state').execute();
    await db.schema.createIndex('import_run_organization').on('import_run').column('organization_id').execute();
    await db.schema
      .createTable('import_item')
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('origin', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('foreign_id', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('run_id', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('import_item_key', ['organization_id', 'origin', 'kind', 'foreign_id'])
      .execute();
  },
};
