/** What several nodes count together: items of keys with a rate limit, and wrong passwords. */
import type { Migration } from './migration.ts';

export const sharedLimits: Migration = {
  name: '0046-shared-limits',
  kind: 'expand',
  async up(db) {
    await db.schema
      .createTable('rate_window')
      .addColumn('key_id', 'integer', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('taken', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('rate_window_key', ['key_id', 'category'])
      .execute();
    await db.schema
      .createTable('sign_in_attempt')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull())
      .addColumn('wrong', 'integer', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('sign_in_attempt_key', ['kind', 'key_hash'])
      .execute();
    await db.schema.createIndex('sign_in_attempt_last').on('sign_in_attempt').column('last_at').execute();
  },
};
