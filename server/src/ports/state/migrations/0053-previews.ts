/** Previews that run on one node, as the others see them. */
import type { Migration } from './migration.ts';

export const previews: Migration = {
  name: '0053-previews',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('preview')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('progress', 'double precision', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('result', 'text')
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('told_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('preview_asked').on('preview').columns(['kind', 'asked_at']).execute();
  },
};
