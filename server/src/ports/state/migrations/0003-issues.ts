/** Issues, the group hashes they own, and what happened to them. */
import type { Migration } from './migration.ts';

export const issues: Migration = {
  name: '0003-issues',
  async up(db, { counted }) {
    await db.schema
      .createTable('issue')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('substatus', 'text')
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('culprit', 'text', (column) => column.notNull())
      .addColumn('platform', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('first_seen', 'bigint', (column) => column.notNull())
      .addColumn('last_seen', 'bigint', (column) => column.notNull())
      .addColumn('first_release', 'text')
      .addColumn('last_release', 'text')
      .addColumn('status_changed_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('issue_number').on('issue').columns(['project_id', 'number']).unique().execute();
    await db.schema
      .createIndex('issue_last_seen')
      .on('issue')
      .columns(['project_id', 'status', 'last_seen desc', 'id'])
      .execute();
    await db.schema
      .createIndex('issue_first_seen')
      .on('issue')
      .columns(['project_id', 'status', 'first_seen desc', 'id'])
      .execute();

    await db.schema
      .createTable('issue_hash')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('grouping_version', 'text', (column) => column.notNull())
      .addColumn('basis', 'text', (column) => column.notNull())
      .addColumn('first_event_id', 'text', (column) => column.notNull())
      .addColumn('explanation', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('issue_hash_hash').on('issue_hash').columns(['project_id', 'hash']).unique().execute();
    await db.schema.createIndex('issue_hash_issue').on('issue_hash').column('issue_id').execute();

    await db.schema
      .createTable('issue_activity')
      .addColumn('id', 'integer', counted)
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('issue_activity_issue').on('issue_activity').columns(['issue_id', 'id']).execute();
    await db.schema.createIndex('issue_activity_user').on('issue_activity').column('user_id').execute();
  },
};
