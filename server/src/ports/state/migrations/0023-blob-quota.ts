/** How many bytes of blobs a key takes in a day, and what it took on which one. */
import type { Migration } from './migration.ts';

export const blobQuota: Migration = {
  name: '0023-blob-quota',
  async up(db) {
    const alter = () => db.schema.alterTable('project_key');
    // 2 GiB, for the keys that are there too; null for no limit.
    await alter()
      .addColumn('blob_bytes_per_day', 'bigint', (column) => column.defaultTo(2 * 1024 ** 3))
      .execute();
    await alter()
      .addColumn('blob_day', 'integer', (column) => column.notNull().defaultTo(0))
      .execute();
    await alter()
      .addColumn('blob_day_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  },
};
