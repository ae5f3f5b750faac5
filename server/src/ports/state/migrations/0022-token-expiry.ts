/** When a token ends, and the token that made it, whose end is its own. Those made before have neither. */
import type { Migration } from './migration.ts';

export const tokenExpiry: Migration = {
  name: '0022-token-expiry',
  async up(db) {
    await db.schema.alterTable('api_token').addColumn('expires_at', 'bigint').execute();
    await db.schema
      .alterTable('api_token')
      .addColumn('parent_id', 'integer', (column) => column.references('api_token.id').onDelete('cascade'))
      .execute();
    await db.schema.createIndex('api_token_expires').on('api_token').column('expires_at').execute();
    await db.schema.createIndex('api_token_parent').on('api_token').column('parent_id').execute();
  },
};
