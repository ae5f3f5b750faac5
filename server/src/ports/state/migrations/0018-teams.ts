/** Teams, invitations, rules of ownership. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const teams: Migration = {
  name: '0018-teams',
  async up(db, { counted }) {
    await db.schema
      .createTable('team')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('team_slug').on('team').columns(['organization_id', 'slug']).unique().execute();
    await db.schema
      .createTable('team_member')
      .addColumn('team_id', 'integer', (column) => column.notNull().references('team.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('team_member_key', ['team_id', 'user_id'])
      .execute();
    await db.schema.createIndex('team_member_user').on('team_member').column('user_id').execute();
    await db.schema
      .createTable('team_project')
      .addColumn('team_id', 'integer', (column) => column.notNull().references('team.id').onDelete('cascade'))
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('team_project_key', ['team_id', 'project_id'])
      .execute();
    await db.schema.createIndex('team_project_project').on('team_project').column('project_id').execute();

    await db.schema
      .createTable('invite')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('teams', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('inviter_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('invite_email').on('invite').columns(['organization_id', 'email']).unique().execute();
    await db.schema.createIndex('invite_inviter').on('invite').column('inviter_id').execute();

    await db.schema
      .createTable('ownership')
      .addColumn('project_id', 'integer', (column) => column.primaryKey().references('project.id').onDelete('cascade'))
      .addColumn('raw', 'text', (column) => column.notNull())
      .addColumn('auto_assignment', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('codeowners')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('repository_id', 'integer', (column) => column.references('repository.id').onDelete('cascade'))
      .addColumn('raw', 'text', (column) => column.notNull())
      .addColumn('names', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('codeowners_project').on('codeowners').column('project_id').execute();
    await db.schema.createIndex('codeowners_repository').on('codeowners').column('repository_id').execute();

    // How many comments an issue has; and which were deleted.
    await db.schema
      .createIndex('issue_activity_note')
      .on('issue_activity')
      .column('issue_id')
      .where(sql.ref('type'), '=', sql.lit('note'))
      .execute();
    await db.schema
      .createIndex('issue_activity_note_deleted')
      .on('issue_activity')
      .column('id')
      .where(sql.ref('type'), '=', sql.lit('note_deleted'))
      .execute();
  },
};
