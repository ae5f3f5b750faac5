/** What a status says beyond its name, when time alone changes it, and which commits have resolved which issues. */
import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const settledAfterMs = 7 * 86_400_000;

export const states: Migration = {
  name: '0016-states',
  async up(db) {
    await db.schema
      .alterTable('issue')
      .addColumn('status_details', 'text', (column) => column.notNull().defaultTo('{}'))
      .execute();
    await db.schema.alterTable('issue').addColumn('moves_at', 'bigint').execute();
    await sql`
      update issue set moves_at = coalesce(status_changed_at, created_at) + ${sql.lit(settledAfterMs)}
      where status = 'unresolved' and substatus in ('new', 'regressed')`.execute(db);
    await sql`update issue set substatus = 'archived_forever' where status = 'archived' and substatus is null`.execute(
      db,
    );
    await db.schema
      .createIndex('issue_moves_at')
      .on('issue')
      .column('moves_at')
      .where(sql.ref('moves_at'), 'is not', null)
      .execute();
    await db.schema
      .createIndex('issue_awaited_commit')
      .on('issue')
      .column('project_id')
      .where(sql.ref('substatus'), '=', sql.lit('in_commit'))
      .execute();

    await db.schema
      .createTable('issue_commit')
      .addColumn('issue_id', 'integer', (column) => column.notNull().references('issue.id').onDelete('cascade'))
      .addColumn('commit_id', 'integer', (column) => column.notNull().references('commit.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('issue_commit_key', ['issue_id', 'commit_id'])
      .execute();
    await db.schema.createIndex('issue_commit_commit').on('issue_commit').column('commit_id').execute();
  },
};
