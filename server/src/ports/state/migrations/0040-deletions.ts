/** What people have deleted, so that a backup from before does not bring it back. */
import type { Migration } from './migration.ts';

export const deletions: Migration = {
  name: '0040-deletions',
  async up(db, { counted }) {
    await db.schema
      .createTable('deletion')
      .addColumn('id', 'integer', counted)
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('target_id', 'bigint', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('deleted_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
