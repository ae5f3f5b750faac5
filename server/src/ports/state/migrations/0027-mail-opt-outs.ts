/** Addresses that left a mail channel by themselves. */
import type { Migration } from './migration.ts';

export const mailOptOuts: Migration = {
  name: '0027-mail-opt-outs',
  async up(db) {
    await db.schema
      .createTable('mail_opt_out')
      .addColumn('channel_id', 'integer', (column) => column.notNull().references('channel.id').onDelete('cascade'))
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('mail_opt_out_key', ['channel_id', 'address'])
      .execute();
  },
};
