/** How the disk filled up, for a forecast, and what took how much of it when that was last measured. */
import type { Migration } from './migration.ts';

export const disk: Migration = {
  name: '0045-disk',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('disk_sample')
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('used_bytes', 'bigint', (column) => column.notNull())
      .addColumn('free_bytes', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('disk_sample_key', ['node', 'at'])
      .execute();
    await db.schema
      .createTable('disk_report')
      .addColumn('node', 'text', (column) => column.notNull().primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('report', 'text', (column) => column.notNull())
      .execute();
  },
};
