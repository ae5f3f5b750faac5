/** Switches of an organisation: share links, invitations by members, addresses that it may be used from. */
import type { Migration } from './migration.ts';

export const switches: Migration = {
  name: '0037-switches',
  async up(db) {
    const table = db.schema.alterTable('organization_setting');
    await table.addColumn('share_links', 'integer', (column) => column.notNull().defaultTo(1)).execute();
    await table.addColumn('member_invitations', 'integer', (column) => column.notNull().defaultTo(0)).execute();
    await table.addColumn('allowed_addresses', 'text', (column) => column.notNull().defaultTo('[]')).execute();
  },
};
