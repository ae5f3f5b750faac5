/** Projects, their keys, API tokens and the settings of the installation. */
import type { Migration } from './migration.ts';

export const projects: Migration = {
  name: '0002-projects',
  async up(db, { counted }) {
    await db.schema
      .createTable('setting')
      .addColumn('name', 'text', (column) => column.notNull().primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute();

    await db.schema
      .createTable('project')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('slug', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('platform', 'text', (column) => column.notNull())
      .addColumn('short_id_prefix', 'text', (column) => column.notNull())
      .addColumn('next_issue_number', 'integer', (column) => column.notNull().defaultTo(1))
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('first_event_at', 'bigint')
      .execute();
    await db.schema.createIndex('project_slug').on('project').columns(['organization_id', 'slug']).unique().execute();
    await db.schema
      .createIndex('project_short_id_prefix')
      .on('project')
      .columns(['organization_id', 'short_id_prefix'])
      .unique()
      .execute();

    await db.schema
      .createTable('project_key')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('public_key', 'text', (column) => column.notNull())
      .addColumn('label', 'text', (column) => column.notNull())
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('rate_limit_count', 'integer')
      .addColumn('rate_limit_window_seconds', 'integer')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('project_key_public_key').on('project_key').column('public_key').unique().execute();
    await db.schema.createIndex('project_key_project').on('project_key').column('project_id').execute();

    await db.schema
      .createTable('api_token')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull())
      .addColumn('token_hint', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .execute();
    await db.schema.createIndex('api_token_hash').on('api_token').column('token_hash').unique().execute();
    await db.schema.createIndex('api_token_organization').on('api_token').column('organization_id').execute();
    await db.schema.createIndex('api_token_user').on('api_token').column('user_id').execute();
  },
};
