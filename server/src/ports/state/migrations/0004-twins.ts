/** Which group hash a browser's view of a failure on the server got, and which of them wait for the server's event. */
import type { Migration } from './migration.ts';

export const twins: Migration = {
  name: '0004-twins',
  async up(db) {
    await db.schema
      .createTable('twin')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('trace_id', 'text', (column) => column.notNull())
      .addColumn('group_hash', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('issue_id', 'integer', (column) => column.references('issue.id').onDelete('cascade'))
      .addColumn('first_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_release', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('twin_failure')
      .on('twin')
      .columns(['project_id', 'digest', 'trace_id'])
      .unique()
      .execute();
    await db.schema.createIndex('twin_trace').on('twin').columns(['project_id', 'trace_id']).execute();
    await db.schema.createIndex('twin_state').on('twin').columns(['state', 'project_id', 'group_hash']).execute();
    await db.schema.createIndex('twin_issue').on('twin').column('issue_id').execute();
    await db.schema.createIndex('twin_age').on('twin').column('created_at').execute();
  },
};
