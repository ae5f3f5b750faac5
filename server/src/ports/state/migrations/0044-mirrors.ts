/** Mirrors: where a project forwards what it receives, and how that goes. */
import type { Migration } from './migration.ts';

export const mirrors: Migration = {
  name: '0044-mirrors',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('mirror')
      .addColumn('project_id', 'integer', (column) =>
        column.notNull().primaryKey().references('project.id').onDelete('cascade'),
      )
      .addColumn('dsn', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('forwarded', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('refused', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('dropped', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('forwarded_at', 'bigint')
      .addColumn('refused_at', 'bigint')
      .addColumn('refusal', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('dropped_at', 'bigint')
      .addColumn('failing_since', 'bigint')
      .addColumn('problem', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
