import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { CodedError } from '../../../base/errors.ts';
import type { ColumnSpelling } from '../capabilities.ts';
import type { StateSchema } from '../schema.ts';
import type { StateTransaction } from '../state.ts';

export interface Migration {
  /** `NNNN-name`, as the file. The order of application; written down once applied, never changed. */
  readonly name: string;
  /**
   * What it means for nodes of the version before, which go on while it is applied: `expand` only adds what they do not
   * know; `contract` takes away what they need, so they refuse to start from then on. Said from 0041 on.
   */
  readonly kind?: 'expand' | 'contract';
  up(db: Transaction<StateSchema>, spelling: ColumnSpelling): Promise<void>;
}

/**
 * Applies what is missing, in order, and returns the names. The caller's transaction must already exclude every
 * other migrating process: the list of applied names is read here and trusted until commit.
 */
export async function applyMigrations(
  trx: StateTransaction,
  spelling: ColumnSpelling,
  migrations: readonly Migration[],
): Promise<string[]> {
  await trx.schema
    .createTable('migration')
    .ifNotExists()
    .addColumn('name', 'text', (column) => column.notNull().primaryKey())
    .addColumn('applied_at', 'bigint', (column) => column.notNull())
    .execute();
  const { rows } = await sql<{ name: string }>`select name from migration`.execute(trx);
  const known = new Set(rows.map((row) => row.name));
  await refuseNewer(trx, known, migrations);
  const applied: string[] = [];
  for (const migration of migrations) {
    if (known.has(migration.name)) continue;
    await migration.up(trx, spelling).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CodedError('MIGRATION_FAILED', [migration.name, reason], { cause: error });
    });
    await sql`insert into migration (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(trx);
    if (migration.kind === 'contract') {
      await sql`update migration set breaks = 1 where name = ${migration.name}`.execute(trx);
    }
    applied.push(migration.name);
  }
  return applied;
}

/** The migration that gave the table of migrations its column `breaks`. */
const firstTold = '0041-nodes';

/** Throws `STATE_NEWER` where one that is not known here has taken away what this version needs. */
async function refuseNewer(
  trx: StateTransaction,
  known: ReadonlySet<string>,
  migrations: readonly Migration[],
): Promise<void> {
  if (!known.has(firstTold)) return;
  const own = new Set(migrations.map(({ name }) => name));
  const { rows } = await sql<{ name: string }>`select name from migration where breaks = 1 order by name`.execute(trx);
  const breaking = rows.find(({ name }) => !own.has(name));
  if (breaking) throw new CodedError('STATE_NEWER', [breaking.name]);
}
