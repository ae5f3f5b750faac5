/** What storms sampled of each hash and day, and until when of each project. */
import type { Migration } from './migration.ts';

export const sampled: Migration = {
  name: '0069-sampled',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('sampled_day')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('day', 'integer', (column) => column.notNull())
      .addColumn('spread', 'bigint', (column) => column.notNull())
      .addColumn('largest', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('sampled_day_key', ['project_id', 'hash', 'day'])
      .execute();
    await db.schema.alterTable('project').addColumn('sampled_until', 'bigint').execute();
  },
};
