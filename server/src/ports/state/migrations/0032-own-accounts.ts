/** Links in mails about accounts, preferences of people, and how long sessions of an organisation last. */
import type { Migration } from './migration.ts';

export const ownAccounts: Migration = {
  name: '0032-own-accounts',
  async up(db) {
    await db.schema
      .createTable('account_link')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('account_link_key', ['user_id', 'kind'])
      .execute();
    await db.schema
      .createTable('user_preference')
      .addColumn('user_id', 'text', (column) => column.primaryKey().references('user.id').onDelete('cascade'))
      .addColumn('preferences', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('session_policy')
      .addColumn('organization_id', 'text', (column) =>
        column.primaryKey().references('organization.id').onDelete('cascade'),
      )
      .addColumn('lifetime_hours', 'integer')
      .addColumn('idle_hours', 'integer')
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .execute();
  },
};
