/** Since when errors of a project may stand for others beyond the limit of their issue. */
import type { Migration } from './migration.ts';

export const limitedProjects: Migration = {
  name: '0073-limited-projects',
  kind: 'expand',
  async up(db) {
    await db.schema.alterTable('project').addColumn('limited_at', 'bigint').execute();
    await db
      .updateTable('project')
      .set({ limited_at: Date.now() })
      .where('id', 'in', db.selectFrom('issue_limit').select('project_id'))
      .execute();
  },
};
