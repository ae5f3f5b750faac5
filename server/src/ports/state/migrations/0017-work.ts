/** The work on issues: assignment, priority, bookmarks, subscriptions, who saw it, share links, bulk changes, discarded issues. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const work: Migration = {
  name: '0017-work',
  async up(db, { counted }) {
    await db.schema
      .alterTable('issue')
      .addColumn('assignee_user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .execute();
    await db.schema.alterTable('issue').addColumn('assignee_team_id', 'integer').execute();
    await db.schema.alterTable('issue').addColumn('priority', 'text').execute();
    await db.schema
      .alterTable('issue')
      .addColumn('priority_locked', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    // Few issues are assigned, so the others cost these indexes nothing.
    for (const assignee of ['assignee_user_id', 'assignee_team_id']) {
      await db.schema
        .createIndex(`issue_${assignee}`)
        .on('issue')
        .columns([assignee, 'project_id', 'status', 'last_seen desc', 'id'])
        .where(sql.ref(assignee), 'is not', null)
        .execute();
    }

    await db.schema
      .createTable('issue_bookmark')
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('issue_bookmark_key', ['issue_id', 'user_id'])
      .execute();
    await db.schema.createIndex('issue_bookmark_user').on('issue_bookmark').columns(['user_id', 'issue_id']).execute();

    await db.schema
      .createTable('issue_subscription')
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('issue_subscription_key', ['issue_id', 'user_id'])
      .execute();
    await db.schema
      .createIndex('issue_subscription_user')
      .on('issue_subscription')
      .columns(['user_id', 'issue_id'])
      .execute();

    await db.schema
      .createTable('issue_seen')
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('issue_seen_key', ['issue_id', 'user_id'])
      .execute();
    await db.schema.createIndex('issue_seen_user').on('issue_seen').column('user_id').execute();

    await db.schema
      .createTable('issue_share')
      .addColumn('issue_id', 'integer', (column) => column.primaryKey().references('issue.id').onDelete('cascade'))
      .addColumn('share_id', 'text', (column) => column.notNull().unique())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('issue_share_user').on('issue_share').column('user_id').execute();

    await db.schema
      .createTable('tombstone')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('level', 'text', (column) => column.notNull())
      .addColumn('title', 'text', (column) => column.notNull())
      .addColumn('culprit', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('metadata', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('tombstone_project').on('tombstone').columns(['project_id', 'id']).execute();
    await db.schema.createIndex('tombstone_user').on('tombstone').column('user_id').execute();
    await db.schema
      .createTable('discarded_hash')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('tombstone_id', 'integer', (column) => column.notNull().references('tombstone.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('discarded_hash_key', ['project_id', 'hash'])
      .execute();
    await db.schema.createIndex('discarded_hash_tombstone').on('discarded_hash').column('tombstone_id').execute();

    await db.schema
      .createTable('bulk_job')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('change', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .addColumn('changed', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addColumn('undoable_until', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema.createIndex('bulk_job_user').on('bulk_job').columns(['user_id', 'id']).execute();
    await db.schema.createIndex('bulk_job_organization').on('bulk_job').column('organization_id').execute();
    await db.schema.createIndex('bulk_job_state').on('bulk_job').columns(['state', 'due_at']).execute();
    await db.schema.createIndex('bulk_job_created').on('bulk_job').column('created_at').execute();
    await db.schema
      .createTable('bulk_item')
      .addColumn('job_id', 'integer', (column) => column.notNull().references('bulk_job.id').onDelete('cascade'))
      .addColumn('position', 'integer', (column) => column.notNull())
      // No reference: what was deleted is still a line of what was done.
      .addColumn('issue_id', 'integer', (column) => column.notNull())
      .addColumn('before', 'text')
      .addPrimaryKeyConstraint('bulk_item_key', ['job_id', 'position'])
      .execute();
  },
};
