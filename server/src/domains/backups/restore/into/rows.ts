/** Rows of any table, as they lie in SQLite: read from one store, written to another. */
import { sql } from 'kysely';
import { chunksOf } from '../../../../base/chunks.ts';
import type { State, StateTransaction } from '../../../../ports/state/state.ts';
import type { Row } from './tables.ts';

const pageRows = 500;
/** Values of a statement. */
const maxValues = 5_000;

type Db = State['db'] | StateTransaction;

/** Those whose column is among the values, a page at a time, in the order in which they were written. */
export async function* rowsOf(db: Db, table: string, column: string, values: Iterable<unknown>): AsyncGenerator<Row[]> {
  for (const chunk of chunksOf([...values], pageRows)) {
    for (let after = -1; ;) {
      const { rows } = await sql<Row & { place: number }>`
        select rowid as place, * from ${sql.table(table)}
        where ${sql.ref(column)} in (${sql.join(chunk)}) and rowid > ${after} order by rowid limit ${pageRows}
      `.execute(db);
      const last = rows.at(-1);
      if (!last) break;
      after = last.place;
      yield rows.map(({ place: _place, ...row }) => row);
      if (rows.length < pageRows) break;
    }
  }
}

export async function allRowsOf(db: Db, table: string, column: string, values: Iterable<unknown>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const page of rowsOf(db, table, column, values)) all.push(...page);
  return all;
}

/** The columns are those of the first. `orKnown`: those whose key is there already are left out. */
export async function addRows(
  trx: StateTransaction,
  table: string,
  rows: readonly Row[],
  { orKnown = false } = {},
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  for (const chunk of chunksOf(rows, Math.max(1, Math.floor(maxValues / Math.max(1, columns.length))))) {
    const values = chunk.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    await sql`
      insert ${sql.raw(orKnown ? 'or ignore' : '')} into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))}) values ${sql.join(values)}
    `.execute(trx);
  }
}

/** Resolves to the id that it gets. */
export async function addRow(trx: StateTransaction, table: string, { id: _id, ...row }: Row): Promise<number> {
  await addRows(trx, table, [row]);
  const { rows } = await sql<{ id: number }>`select last_insert_rowid() as id`.execute(trx);
  return Number(rows[0]?.id);
}

/** The first of as many ids that nothing of the table had, or ever gets. */
export async function takeIds(trx: StateTransaction, table: string, count: number): Promise<number> {
  const last = await lastId(trx, table);
  await sql`delete from sqlite_sequence where name = ${table}`.execute(trx);
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${last + count})`.execute(trx);
  return last + 1;
}

/** The largest that was ever given; 0 for none. */
export async function lastId(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(db);
  return Number(rows[0]?.seq ?? 0);
}
