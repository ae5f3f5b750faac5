/**
 * Webhooks that hosts of code and of sites send here: what they are for, what came, and the commits that they told of. And
 * changes that outgoing webhooks tell of.
 */
import type { Migration } from './migration.ts';

export const incoming: Migration = {
  name: '0065-incoming',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('incoming_webhook')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('address', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('former_secret', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('former_until', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('mappings', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('refused_at', 'bigint')
      .addColumn('refusal', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('incoming_webhook_organization')
      .on('incoming_webhook')
      .column('organization_id')
      .execute();
    await db.schema
      .createTable('incoming_delivery')
      .addColumn('id', 'integer', counted)
      .addColumn('webhook_id', 'integer', (column) =>
        column.notNull().references('incoming_webhook.id').onDelete('cascade'),
      )
      .addColumn('delivery', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('result', 'text', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('received_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('incoming_delivery_digest')
      .on('incoming_delivery')
      .columns(['webhook_id', 'digest'])
      .unique()
      .execute();
    await db.schema
      .createIndex('incoming_delivery_name')
      .on('incoming_delivery')
      .columns(['webhook_id', 'delivery'])
      .execute();
    await db.schema
      .createIndex('incoming_delivery_time')
      .on('incoming_delivery')
      .columns(['webhook_id', 'received_at'])
      .execute();
    await db.schema
      .createTable('incoming_commit')
      .addColumn('id', 'integer', counted)
      .addColumn('webhook_id', 'integer', (column) =>
        column.notNull().references('incoming_webhook.id').onDelete('cascade'),
      )
      .addColumn('repository', 'text', (column) => column.notNull())
      .addColumn('sha', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('incoming_commit_sha')
      .on('incoming_commit')
      .columns(['webhook_id', 'repository', 'sha'])
      .unique()
      .execute();
    await db.schema
      .createTable('change_note')
      .addColumn('id', 'integer', counted)
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('target_id', 'integer', (column) => column.notNull())
      .addColumn('user_id', 'text')
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('change_note_at').on('change_note').column('at').execute();
  },
};
