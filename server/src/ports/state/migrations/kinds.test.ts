/** What migrations mean for nodes of the version before, held against the statements that they make. */
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, type Transaction } from 'kysely';
import { expect, test } from 'vitest';
import { columnSpelling } from '../capabilities.ts';
import type { StateSchema } from '../schema.ts';
import { onEachDatabase } from '../testing/databases.ts';
import { migrations } from './index.ts';
import type { Migration } from './migration.ts';
import { applyMigrations } from './migration.ts';

/** From here on each says what it is. */
const firstTold = '0041';

async function statementsOf(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<StateSchema>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (inside) => new SqliteIntrospector(inside),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await migration.up(db as Transaction<StateSchema>, columnSpelling({ dialect: 'sqlite' }));
  return statements;
}

/** A column that has to be given a value is none that an older version can write. */
const isAdditive = (statement: string): boolean =>
  /^create (?:unique )?(?:table|index) /.test(statement) ||
  (/^alter table "\w+" add column /.test(statement) && (!/ not null/.test(statement) || / default /.test(statement))) ||
  /^(?:insert into|select|update) /.test(statement);

test.for(migrations.filter(({ name }) => name >= firstTold))(
  '$name says whether earlier versions bear it',
  async (one) => {
    expect(one.kind, 'expand or contract').toBeDefined();
    const statements = await statementsOf(one);
    expect(statements).not.toEqual([]);
    if (one.kind === 'expand') expect(statements.filter((statement) => !isAdditive(statement))).toEqual([]);
  },
);

test('a statement that takes something away is none of an expanding migration', () => {
  for (const statement of [
    'drop table "node"',
    'alter table "node" drop column "roles"',
    'alter table "node" rename to "nodes"',
    'alter table "node" add column "zone" text not null',
    'create view "x" as select 1',
  ]) {
    expect(isAdditive(statement)).toBe(false);
  }
});

onEachDatabase('a schema of a newer version', (databases) => {
  const later = (kind: 'expand' | 'contract'): Migration => ({
    name: `9000-${kind}`,
    kind,
    up: async (db) => db.schema.createTable(`later_${kind}`).addColumn('id', 'integer').execute(),
  });
  test('is borne where it only adds, and refused where it takes away', async () => {
    const state = await databases.migrated();
    const migrate = (own: readonly Migration[]): Promise<string[]> =>
      state.transaction((trx) => applyMigrations(trx, columnSpelling(state.capabilities), own));
    expect(await migrate([...migrations, later('expand')])).toEqual(['9000-expand']);
    expect(await migrate(migrations)).toEqual([]);
    expect(await migrate([...migrations, later('expand'), later('contract')])).toEqual(['9000-contract']);
    await expect(migrate(migrations)).rejects.toMatchObject({ code: 'STATE_NEWER' });
    expect(await migrate([...migrations, later('contract')])).toEqual([]);
  });
});
