/** Ages of one's own: up to eight named ones, and which of them a project has for a class of data. */
import type { Migration } from './migration.ts';

export const retentionPolicies: Migration = {
  name: '0067-retention-policies',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('retention_policy')
      .addColumn('id', 'integer', counted)
      .addColumn('name', 'text', (column) => column.notNull().unique())
      .addColumn('days', 'integer', (column) => column.notNull())
      .execute();
    await db.schema
      .createTable('project_retention')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('class', 'text', (column) => column.notNull())
      .addColumn('policy_id', 'integer', (column) => column.notNull().references('retention_policy.id'))
      .addPrimaryKeyConstraint('project_retention_key', ['project_id', 'class'])
      .execute();
    await db.schema.createIndex('project_retention_policy').on('project_retention').column('policy_id').execute();
  },
};
