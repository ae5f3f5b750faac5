/** Background work: who has claimed what, and how each kind of it is doing. What an earlier version had begun can be claimed at once. */
import { sql, type Transaction } from 'kysely';
import type { StateSchema } from '../schema.ts';
import type { Migration } from './migration.ts';

type Claimed = 'symbolication_job' | 'data_export';

async function addClaim(db: Transaction<StateSchema>, table: Claimed): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn('due_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .alterTable(table)
    .addColumn('claimed_by', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  await db.schema
    .alterTable(table)
    .addColumn('claimed_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}

export const jobs: Migration = {
  name: '0028-jobs',
  async up(db) {
    await db.schema
      .createTable('job')
      .addColumn('name', 'text', (column) => column.notNull().primaryKey())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('claimed_by', 'text', (column) => column.notNull())
      .addColumn('claimed_until', 'bigint', (column) => column.notNull())
      .addColumn('began_at', 'bigint')
      .addColumn('ended_at', 'bigint')
      .addColumn('detail', 'text', (column) => column.notNull())
      .addColumn('failed_at', 'bigint')
      .addColumn('waiting', 'integer')
      .addColumn('running', 'integer')
      .addColumn('noted_at', 'bigint', (column) => column.notNull())
      .execute();
    await addClaim(db, 'symbolication_job');
    await addClaim(db, 'data_export');
    // They are begun in the order in which they were asked for.
    await sql`update symbolication_job set due_at = created_at`.execute(db);
    await sql`update data_export set due_at = created_at`.execute(db);
  },
};
