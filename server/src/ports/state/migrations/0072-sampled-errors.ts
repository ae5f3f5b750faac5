/** How many errors storms did not store, of each hash and day; null of days from before. */
import type { Migration } from './migration.ts';

export const sampledErrors: Migration = {
  name: '0072-sampled-errors',
  kind: 'expand',
  async up(db) {
    await db.schema.alterTable('sampled_day').addColumn('errors', 'bigint').execute();
  },
};
