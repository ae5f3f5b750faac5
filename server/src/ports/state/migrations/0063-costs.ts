/** What each project takes of the disk, and what of it: as a job has measured it. */
import type { Migration } from './migration.ts';

export const costs: Migration = {
  name: '0063-costs',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('project_cost')
      .addColumn('project_id', 'integer', (column) => column.primaryKey().references('project.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('report', 'text', (column) => column.notNull())
      .execute();
  },
};
