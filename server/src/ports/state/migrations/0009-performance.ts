/** Segments of traces to be examined for performance problems once their late spans have come. */
import type { Migration } from './migration.ts';

export const performance: Migration = {
  name: '0009-performance',
  async up(db) {
    await db.schema
      .createTable('performance_suspect')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('project.id').onDelete('cascade'))
      .addColumn('trace_id', 'text', (column) => column.notNull())
      .addColumn('segment_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('noted_at', 'bigint', (column) => column.notNull())
      .addColumn('pieces', 'integer', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('performance_suspect_key', ['project_id', 'trace_id', 'segment_id'])
      .execute();
    await db.schema.createIndex('performance_suspect_due').on('performance_suspect').column('due_at').execute();
  },
};
