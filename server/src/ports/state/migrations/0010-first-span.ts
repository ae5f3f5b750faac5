/** Whether a project sends spans, so that pages know what is missing from what there is none of. */
import type { Migration } from './migration.ts';

export const firstSpan: Migration = {
  name: '0010-first-span',
  async up(db) {
    await db.schema.alterTable('project').addColumn('first_span_at', 'bigint').execute();
  },
};
