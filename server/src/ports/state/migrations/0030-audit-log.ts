/** The audit log: entries, the head of each chain, and how far the outside has been told. */
import type { Migration } from './migration.ts';

export const auditLog: Migration = {
  name: '0030-audit-log',
  async up(db) {
    await db.schema
      .createTable('audit_log')
      // No reference: the log of an organisation that is deleted does not go with it.
      .addColumn('organization_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('anchor_seq', 'bigint', (column) => column.notNull())
      .addColumn('anchor_hash', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('seal', 'text', (column) => column.notNull())
      .addColumn('retention_days', 'integer')
      .execute();
    await db.schema
      .createTable('audit_entry')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('actor', 'text', (column) => column.notNull())
      .addColumn('target_type', 'text', (column) => column.notNull())
      .addColumn('target_id', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('content', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('audit_entry_key', ['organization_id', 'seq'])
      .execute();
    const indexes = { at: ['at'], action: ['action'], actor: ['actor'], target: ['target_type', 'target_id'] };
    for (const [name, columns] of Object.entries(indexes)) {
      await db.schema
        .createIndex(`audit_entry_${name}`)
        .on('audit_entry')
        .columns(['organization_id', ...columns, 'seq'])
        .execute();
    }
    await db.schema
      .createTable('audit_stream')
      .addColumn('organization_id', 'text', (column) => column.notNull())
      .addColumn('sink', 'text', (column) => column.notNull())
      .addColumn('sent_seq', 'bigint', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('secret', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('failing_since', 'bigint')
      .addColumn('sent_at', 'bigint')
      .addPrimaryKeyConstraint('audit_stream_key', ['organization_id', 'sink'])
      .execute();
  },
};
