/** All work is claimed in one way: the columns for it in every table that holds work. What is claimed stays claimed. */
import { sql, type Transaction } from 'kysely';
import type { StateSchema } from '../schema.ts';
import type { Migration } from './migration.ts';

type Column = 'due_at' | 'attempts' | 'claimed_by' | 'claimed_until' | 'detail';

const types = {
  due_at: ['bigint', 0],
  attempts: ['integer', 0],
  claimed_by: ['text', ''],
  claimed_until: ['bigint', 0],
  detail: ['text', ''],
} as const;

async function add(db: Transaction<StateSchema>, table: string, columns: readonly Column[]): Promise<void> {
  for (const name of columns) {
    const [type, empty] = types[name];
    await db.schema
      .alterTable(table)
      .addColumn(name, type, (column) => column.notNull().defaultTo(empty))
      .execute();
  }
}

export const claims: Migration = {
  name: '0029-claims',
  async up(db) {
    // Whose event is still to come.
    await db.schema.createIndex('feedback_unlinked').on('feedback').columns(['group_hash', 'created_at']).execute();

    await add(db, 'artifact_bundle', ['due_at', 'attempts', 'claimed_by', 'claimed_until']);
    await add(db, 'performance_suspect', ['claimed_by', 'claimed_until', 'detail']);

    await db.schema.alterTable('alert_lease').renameColumn('holder', 'claimed_by').execute();
    await db.schema.alterTable('alert_lease').renameColumn('leased_until', 'claimed_until').execute();
    await add(db, 'alert_lease', ['due_at', 'attempts', 'detail']);

    await add(db, 'delivery', ['claimed_by', 'claimed_until']);
    await sql`update delivery set claimed_by = lease_owner, claimed_until = coalesce(lease_until, 0)
      where lease_owner is not null`.execute(db);
    await db.schema.alterTable('delivery').dropColumn('lease_owner').execute();
    await db.schema.alterTable('delivery').dropColumn('lease_until').execute();
  },
};
