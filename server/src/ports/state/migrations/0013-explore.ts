/** Results of Explore that are written to files. */
import type { Migration } from './migration.ts';

export const explore: Migration = {
  name: '0013-explore',
  async up(db, { counted }) {
    await db.schema
      .createTable('data_export')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('format', 'text', (column) => column.notNull())
      .addColumn('question', 'text', (column) => column.notNull())
      .addColumn('project_ids', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('row_limit', 'integer', (column) => column.notNull())
      .addColumn('row_count', 'integer', (column) => column.notNull())
      .addColumn('total', 'bigint')
      .addColumn('size_bytes', 'bigint', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('data_export_owner')
      .on('data_export')
      .columns(['organization_id', 'user_id', 'created_at'])
      .execute();
    // Foreign keys look here when users go; the runner looks for what waits.
    await db.schema.createIndex('data_export_user').on('data_export').column('user_id').execute();
    await db.schema.createIndex('data_export_state').on('data_export').column('state').execute();
  },
};
