/** How long each class of data is kept and up to which size, what went because of that, and what is stored. */
import type { Migration } from './migration.ts';

export const retention: Migration = {
  name: '0062-retention',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('retention_class')
      .addColumn('class', 'text', (column) => column.primaryKey())
      .addColumn('days', 'integer')
      .addColumn('limit_bytes', 'bigint')
      .execute();
    await db.schema
      .createTable('retention_drop')
      .addColumn('id', 'integer', counted)
      .addColumn('class', 'text', (column) => column.notNull())
      .addColumn('before', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('rows', 'bigint', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('done_at', 'bigint')
      .execute();
    await db.schema
      .createTable('retention_report')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('report', 'text', (column) => column.notNull())
      .execute();
  },
};
