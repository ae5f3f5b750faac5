/** Digests that somebody waits for. */
import type { Migration } from './migration.ts';

export const digestWatches: Migration = {
  name: '0005-digest-watches',
  async up(db, { counted }) {
    await db.schema
      .createTable('digest_watch')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('project_id', 'integer', (column) => column.references('project.id').onDelete('cascade'))
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('host', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('found_at', 'bigint')
      .addColumn('found_event_id', 'text')
      .addColumn('found_issue_id', 'integer', (column) => column.references('issue.id').onDelete('cascade'))
      .addColumn('seen', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('digest_watch_digest')
      .on('digest_watch')
      .columns(['organization_id', 'user_id', 'digest'])
      .unique()
      .execute();
    // Foreign keys look here when users, projects and issues go.
    await db.schema.createIndex('digest_watch_user').on('digest_watch').column('user_id').execute();
    await db.schema.createIndex('digest_watch_project').on('digest_watch').column('project_id').execute();
    await db.schema.createIndex('digest_watch_issue').on('digest_watch').column('found_issue_id').execute();
  },
};
