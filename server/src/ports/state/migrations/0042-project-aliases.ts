/** Ids that projects had elsewhere, and until when events came from there. */
import type { Migration } from './migration.ts';

export const projectAliases: Migration = {
  name: '0042-project-aliases',
  kind: 'expand',
  async up(db, { counted }) {
    await db.schema
      .createTable('project_alias')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('alias', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema
      .createIndex('project_alias_project')
      .on('project_alias')
      .columns(['project_id', 'alias'])
      .unique()
      .execute();
    await db.schema.alterTable('project').addColumn('imported_until', 'bigint').execute();
  },
};
