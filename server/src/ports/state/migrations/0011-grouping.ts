/** How a group hash came to its issue, where it was not an event that was seen for the first time. */
import type { Migration } from './migration.ts';

export const grouping: Migration = {
  name: '0011-grouping',
  async up(db) {
    await db.schema
      .alterTable('issue_hash')
      .addColumn('via', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
