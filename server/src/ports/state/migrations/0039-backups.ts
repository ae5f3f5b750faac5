/** Runs of backups: asked for by a command or by the schedule, taken by the node whose data directory it is. */
import type { Migration } from './migration.ts';

export const backups: Migration = {
  name: '0039-backups',
  async up(db, { counted }) {
    await db.schema
      .createTable('backup_run')
      .addColumn('id', 'integer', counted)
      .addColumn('node', 'text', (column) => column.notNull())
      .addColumn('dir', 'text', (column) => column.notNull())
      .addColumn('asked_by', 'text', (column) => column.notNull())
      .addColumn('options', 'text', (column) => column.notNull())
      .addColumn('credential', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('result', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('began_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .execute();
    await db.schema.createIndex('backup_run_node').on('backup_run').columns(['node', 'state']).execute();
  },
};
