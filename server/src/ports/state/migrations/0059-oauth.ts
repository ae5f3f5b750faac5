/** Programs that ask people for access (OAuth): who they are, what they asked for, and what keeps their tokens alive. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

export const oauth: Migration = {
  name: '0059-oauth',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('oauth_client')
      .addColumn('id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('redirect_uris', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('oauth_client_created').on('oauth_client').column('created_at').execute();
    await db.schema
      .createTable('oauth_code')
      .addColumn('code_hash', 'text', (column) => column.notNull().primaryKey())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('redirect_uri', 'text', (column) => column.notNull())
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('is_used', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('token_id', 'integer')
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('oauth_code_expiry').on('oauth_code').column('expires_at').execute();
    await db.schema
      .createTable('oauth_device')
      .addColumn('device_hash', 'text', (column) => column.notNull().primaryKey())
      .addColumn('user_code_hash', 'text', (column) => column.notNull().unique())
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('client_name', 'text', (column) => column.notNull())
      .addColumn('asked', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) => column.references('organization.id').onDelete('cascade'))
      .addColumn('scopes', 'text', (column) => column.notNull().defaultTo('[]'))
      .addColumn('polled_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('oauth_device_expiry').on('oauth_device').column('expires_at').execute();
    await db.schema
      .createTable('oauth_grant')
      .addColumn('token_id', 'integer', (column) =>
        column.notNull().primaryKey().references('api_token.id').onDelete('cascade'),
      )
      .addColumn('client_id', 'text', (column) => column.notNull())
      .addColumn('refresh_hash', 'text', (column) => column.notNull().unique())
      .addColumn('former_hash', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('refreshed_at', 'bigint', (column) => column.notNull())
      .addColumn('access_expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('oauth_grant_former')
      .on('oauth_grant')
      .column('former_hash')
      .where(sql.ref('former_hash'), '<>', sql.lit(''))
      .execute();
  },
};
