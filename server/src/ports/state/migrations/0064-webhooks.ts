/** Webhooks of organisations, and what is to be sent to them, was sent, and what they answered. */
import type { Migration } from './migration.ts';

export const webhooks: Migration = {
  name: '0064-webhooks',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('webhook')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('uuid', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('former_secret', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('former_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('project_ids', 'text', (column) => column.notNull())
      .addColumn('events', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('disabled_at', 'bigint')
      .addColumn('problem', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('failing_since', 'bigint')
      .addColumn('last_sent_at', 'bigint')
      .addColumn('dropped', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('retry_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('heard_from', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('webhook_organization').on('webhook').column('organization_id').execute();
    await db.schema
      .createTable('webhook_delivery')
      .addColumn('id', 'integer', counted)
      .addColumn('webhook_id', 'integer', (column) => column.notNull().references('webhook.id').onDelete('cascade'))
      .addColumn('uuid', 'text', (column) => column.notNull())
      .addColumn('cause', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('project_id', 'integer')
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('first_at', 'bigint')
      .addColumn('tries', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema
      .createIndex('webhook_delivery_cause')
      .on('webhook_delivery')
      .columns(['webhook_id', 'cause'])
      .unique()
      .execute();
    await db.schema.createIndex('webhook_delivery_due').on('webhook_delivery').columns(['state', 'due_at']).execute();
    await db.schema
      .createIndex('webhook_delivery_log')
      .on('webhook_delivery')
      .columns(['webhook_id', 'state', 'id'])
      .execute();
  },
};
