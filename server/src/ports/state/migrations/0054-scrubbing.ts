/** Scrubbing of an organisation: rules of its own, no addresses, pseudonyms for users. */
import type { Migration } from './migration.ts';

export const scrubbing: Migration = {
  name: '0054-scrubbing',
  kind: 'expand',
  async up(db) {
    const table = db.schema.alterTable('organization_setting');
    await table.addColumn('scrub_rules', 'text', (column) => column.notNull().defaultTo('')).execute();
    await table.addColumn('removes_addresses', 'integer', (column) => column.notNull().defaultTo(0)).execute();
    await table.addColumn('pseudonymizes_users', 'integer', (column) => column.notNull().defaultTo(0)).execute();
  },
};
