/** Projects of which nothing is deleted and nothing ages out. */
import type { Migration } from './migration.ts';

export const holds: Migration = {
  name: '0058-holds',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('project_hold')
      .addColumn('project_id', 'integer', (column) => column.primaryKey().references('project.id').onDelete('cascade'))
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('project_hold_user').on('project_hold').column('user_id').execute();
  },
};
