/** What users say of an application. */
import type { Migration } from './migration.ts';

const texts = [
  'message',
  'name',
  'email',
  'url',
  'source',
  'event_id',
  'group_hash',
  'replay_id',
  'trace_id',
  'release',
  'environment',
  'details',
] as const;

export const feedback: Migration = {
  name: '0021-feedback',
  async up(db, { counted }) {
    let table = db.schema
      .createTable('feedback')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('feedback_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull());
    for (const name of texts) table = table.addColumn(name, 'text', (column) => column.notNull());
    await table
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('feedback_item')
      .on('feedback')
      .columns(['project_id', 'kind', 'feedback_id'])
      .unique()
      .execute();
    await db.schema
      .createIndex('feedback_newest')
      .on('feedback')
      .columns(['project_id', 'status', 'created_at desc', 'id'])
      .execute();
    // Of an issue, and of an event.
    await db.schema.createIndex('feedback_group').on('feedback').columns(['project_id', 'group_hash']).execute();
    await db.schema.createIndex('feedback_event').on('feedback').columns(['project_id', 'event_id']).execute();
  },
};
