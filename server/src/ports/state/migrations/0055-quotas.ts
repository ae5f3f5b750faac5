/** Quotas of organisations, projects and keys; what was used of them; in whose months, and who is told. */
import type { Migration } from './migration.ts';

export const quotas: Migration = {
  name: '0055-quotas',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('quota')
      .addColumn('id', 'integer', counted)
      .addColumn('organization_id', 'text', (column) =>
        column.notNull().references('organization.id').onDelete('cascade'),
      )
      .addColumn('project_id', 'integer', (column) => column.references('project.id').onDelete('cascade'))
      .addColumn('key_id', 'integer', (column) => column.references('project_key.id').onDelete('cascade'))
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('amount', 'bigint', (column) => column.notNull())
      .addColumn('is_hard', 'integer', (column) => column.notNull())
      .addColumn('told_term', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('told_percent', 'integer', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('quota_target')
      .on('quota')
      .columns(['target', 'category', 'period'])
      .unique()
      .execute();
    await db.schema.createIndex('quota_organization').on('quota').column('organization_id').execute();
    await db.schema.createIndex('quota_project').on('quota').column('project_id').execute();
    await db.schema.createIndex('quota_key').on('quota').column('key_id').execute();
    await db.schema
      .createTable('quota_use')
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('category', 'text', (column) => column.notNull())
      .addColumn('period', 'text', (column) => column.notNull())
      .addColumn('term', 'integer', (column) => column.notNull())
      .addColumn('used', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('quota_use_key', ['target', 'category', 'period', 'term'])
      .execute();
    await db.schema.createIndex('quota_use_term').on('quota_use').columns(['period', 'term']).execute();
    const settings = db.schema.alterTable('organization_setting');
    await settings.addColumn('time_zone', 'text', (column) => column.notNull().defaultTo('UTC')).execute();
    await settings.addColumn('quota_channels', 'text', (column) => column.notNull().defaultTo('[]')).execute();
  },
};
