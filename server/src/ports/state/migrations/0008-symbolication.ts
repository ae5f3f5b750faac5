/** Symbolicating again what was stored before its maps came, and what short ids of issues that were joined lead to. */
import type { Migration } from './migration.ts';

export const symbolication: Migration = {
  name: '0008-symbolication',
  async up(db, { counted }) {
    await db.schema
      .createTable('symbolication_job')
      .addColumn('id', 'integer', counted)
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('wanted', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('total', 'integer', (column) => column.notNull())
      .addColumn('done', 'integer', (column) => column.notNull())
      .addColumn('mapped', 'integer', (column) => column.notNull())
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .execute();
    await db.schema.createIndex('symbolication_job_state').on('symbolication_job').columns(['state', 'id']).execute();
    await db.schema
      .createIndex('symbolication_job_project')
      .on('symbolication_job')
      .columns(['project_id', 'id'])
      .execute();

    await db.schema
      .createTable('issue_alias')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('former_id', 'integer', (column) => column.notNull().primaryKey())
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .execute();
    await db.schema
      .createIndex('issue_alias_number')
      .on('issue_alias')
      .columns(['project_id', 'number'])
      .unique()
      .execute();
    await db.schema.createIndex('issue_alias_issue').on('issue_alias').column('issue_id').execute();
  },
};
