/** People and groups that a directory writes, and the tokens by which it does. */
import type { Migration } from './migration.ts';

export const scim: Migration = {
  name: '0036-scim',
  async up(db, { counted }) {
    await db.schema
      .createTable('scim_token')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('token_hint', 'text', (column) => column.notNull())
      .addColumn('maker_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('expires_at', 'bigint')
      .execute();
    await db.schema.createIndex('scim_token_organization').on('scim_token').column('organization_id').execute();
    await db.schema
      .createTable('scim_user')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('user_name_key', 'text', (column) => column.notNull())
      .addColumn('external_id', 'text')
      .addColumn('active', 'integer', (column) => column.notNull())
      .addColumn('made_account', 'integer', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('scim_user_name', ['organization_id', 'user_name_key'])
      .addUniqueConstraint('scim_user_account', ['organization_id', 'user_id'])
      .execute();
    await db.schema
      .createIndex('scim_user_external')
      .on('scim_user')
      .columns(['organization_id', 'external_id'])
      .execute();
    await db.schema
      .createTable('scim_group')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('team_id', 'integer', (column) => column.references('team.id').onDelete('set null'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('external_id', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addUniqueConstraint('scim_group_name', ['organization_id', 'name_key'])
      .execute();
    await db.schema
      .createTable('scim_group_member')
      .addColumn('group_id', 'text', (column) => column.notNull().references('scim_group.id').onDelete('cascade'))
      .addColumn('scim_user_id', 'text', (column) => column.notNull().references('scim_user.id').onDelete('cascade'))
      .addPrimaryKeyConstraint('scim_group_member_key', ['group_id', 'scim_user_id'])
      .execute();
    await db.schema.createIndex('scim_group_member_user').on('scim_group_member').column('scim_user_id').execute();
  },
};
