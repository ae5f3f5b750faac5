/** Requests to erase people and events; of what a restore must not bring back, more than an id. */
import type { Migration } from './migration.ts';

export const erasures: Migration = {
  name: '0057-erasures',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('erasure')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('user_id', 'text', (column) => column.references('user.id').onDelete('set null'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('reference', 'text', (column) => column.notNull())
      .addColumn('salt', 'text', (column) => column.notNull())
      .addColumn('progress', 'text', (column) => column.notNull())
      .addColumn('found', 'text', (column) => column.notNull())
      .addColumn('certificate', 'text', (column) => column.notNull())
      .addColumn('file_bytes', 'bigint', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('confirmed_at', 'bigint')
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema.createIndex('erasure_organization').on('erasure').columns(['organization_id', 'id']).execute();
    await db.schema.createIndex('erasure_user').on('erasure').column('user_id').execute();
    await db.schema.createIndex('erasure_state').on('erasure').columns(['state', 'due_at']).execute();
    await db.schema
      .alterTable('deletion')
      .addColumn('detail', 'text', (column) => column.notNull().defaultTo(''))
      .execute();
  },
};
