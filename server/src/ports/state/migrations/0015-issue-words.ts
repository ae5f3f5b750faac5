/** Type and message by which events of built code find their issue with source maps and without. */
import type { Migration } from './migration.ts';

export const issueWords: Migration = {
  name: '0015-issue-words',
  async up(db) {
    await db.schema
      .createTable('issue_words')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('state', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('issue_words_key', ['project_id', 'hash'])
      .execute();
    await db.schema.createIndex('issue_words_issue').on('issue_words').column('issue_id').execute();
  },
};
