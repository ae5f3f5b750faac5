/** Channels, deliveries, and how people want to be told. */
import type { Migration } from './migration.ts';

export const notify: Migration = {
  name: '0020-notify',
  async up(db, { counted }) {
    await db.schema
      .createTable('channel')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('config', 'text', (column) => column.notNull())
      .addColumn('quiet_hours', 'text')
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('problem', 'text', (column) => column.notNull())
      .addColumn('hold_until', 'bigint')
      .addColumn('last_sent_at', 'bigint')
      .execute();
    await db.schema.createIndex('channel_organization').on('channel').column('organization_id').execute();

    await db.schema
      .createTable('delivery')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'integer', (column) => column.references('channel.id').onDelete('cascade'))
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('cascade'))
      .addColumn('email', 'text')
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('severity', 'text', (column) => column.notNull())
      .addColumn('group_key', 'text', (column) => column.notNull())
      .addColumn('notification', 'text', (column) => column.notNull())
      .addColumn('batch', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('merged_into', 'integer')
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('lease_owner', 'text')
      .addColumn('lease_until', 'bigint')
      .addColumn('committed_at', 'bigint')
      .addColumn('log', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema.createIndex('delivery_key').on('delivery').columns(['organization_id', 'key']).unique().execute();
    // What is due and whose lease ended; the log of an organisation and of a channel; what foreign keys look for.
    await db.schema.createIndex('delivery_due').on('delivery').columns(['state', 'due_at']).execute();
    await db.schema.createIndex('delivery_log').on('delivery').columns(['organization_id', 'id']).execute();
    await db.schema.createIndex('delivery_channel').on('delivery').columns(['channel_id', 'id']).execute();
    await db.schema.createIndex('delivery_user').on('delivery').columns(['user_id', 'batch']).execute();
    await db.schema.createIndex('delivery_merged').on('delivery').column('merged_into').execute();
    await db.schema.createIndex('delivery_finished').on('delivery').column('finished_at').execute();

    await db.schema
      .createTable('notification_setting')
      .addColumn('user_id', 'text', (column) => column.notNull().references('user.id').onDelete('cascade'))
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('settings', 'text', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('notification_setting_key', ['user_id', 'organization_id'])
      .execute();
  },
};
