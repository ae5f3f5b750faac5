/** The nodes of an installation, and which migrations earlier versions cannot live with. */
import type { Migration } from './migration.ts';

export const nodes: Migration = {
  name: '0041-nodes',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('node')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('roles', 'text', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('report', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .alterTable('migration')
      .addColumn('breaks', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
