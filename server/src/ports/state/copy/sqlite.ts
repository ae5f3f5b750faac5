/** A state store in SQLite, to copy from and to; see `side.ts`. */
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isBusy } from '../sqlite-driver.ts';
import type { Column, CopySide, Kind, Row, Snapshot, Table, Value, Writer } from './side.ts';
import { leftOut, moveSetting } from './side.ts';

/** Longer than any transaction of the program. */
const lockWaitMs = 15_000;
const pageRows = 2_000;
const removedAtOnce = 200;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const kinds: Readonly<Record<string, Kind>> = {
  integer: 'number',
  bigint: 'number',
  'double precision': 'number',
  date: 'time',
};

/** The store in the data directory, which must be there. */
export function openSqliteSide({ dataDir }: { dataDir: string }): CopySide {
  const path = join(dataDir, 'state.db');
  // References are checked at the end, all of them.
  const open = (readOnly = false): DatabaseSync =>
    new DatabaseSync(path, { readOnly, timeout: lockWaitMs, enableForeignKeyConstraints: false });
  const database = open();
  database.exec('pragma synchronous = full');
  const query = <R>(sql: string, ...values: SQLInputValue[]): R[] => database.prepare(sql).all(...values) as R[];

  return {
    async tables() {
      const names = query<{ name: string }>(
        `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
      );
      return new Map(
        names.filter(({ name }) => !leftOut.has(name)).map(({ name }) => [name, tableOf(database, name)] as const),
      );
    },
    migrations: async () => query<{ name: string }>('select name from migration order by name').map(({ name }) => name),
    snapshot: async () => openSnapshot(open(true)),
    async freeze() {
      const lock = open();
      await begin(lock);
      return {
        async [Symbol.asyncDispose]() {
          if (lock.isOpen) lock.close();
        },
      };
    },
    async write(work) {
      await begin(database);
      try {
        await work(writerOf(database));
        database.exec('commit');
      } catch (error) {
        if (database.isTransaction) database.exec('rollback');
        throw error;
      }
    },
    async setCounters(counters) {
      for (const [table, last] of counters) {
        database.prepare('delete from sqlite_sequence where name = ?').run(table);
        if (last > 0) database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(table, last);
      }
    },
    references: async () => [],
    async loosen() {},
    async tighten() {
      const broken = query<{ table: string; parent: string }>('pragma foreign_key_check').at(0);
      if (broken) throw new Error(`a row of ${broken.table} refers to a row of ${broken.parent} that is missing`);
    },
    async [Symbol.asyncDispose]() {
      if (database.isOpen) database.close();
    },
  };
}

async function begin(database: DatabaseSync): Promise<void> {
  const giveUpAt = Date.now() + lockWaitMs;
  for (;;) {
    try {
      database.exec('begin immediate');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUpAt) throw error;
      await delay(5);
    }
  }
}

interface ColumnInfo {
  readonly name: string;
  readonly type: string;
  readonly notnull: number;
  /** Its place in the primary key, from 1; 0 where it is not in it. */
  readonly pk: number;
}

function tableOf(database: DatabaseSync, name: string): Table {
  const query = <R>(sql: string, value: string): R[] => database.prepare(sql).all(value) as R[];
  const columns = query<ColumnInfo>('select name, type, "notnull", pk from pragma_table_info(?)', name);
  const indexOf = (column: string): number => columns.findIndex((each) => each.name === column);
  const primary = columns
    .filter(({ pk }) => pk > 0)
    .toSorted((a, b) => a.pk - b.pk)
    .map((column) => indexOf(column.name));
  const unique = query<{ name: string }>(
    'select name from pragma_index_list(?) where "unique" = 1 and partial = 0 order by name',
    name,
  ).map((index) =>
    query<{ name: string | null }>('select name from pragma_index_info(?) order by seqno', index.name).map((column) =>
      indexOf(column.name ?? ''),
    ),
  );
  const isKey = (indexes: readonly number[]): boolean => indexes.every((index) => columns[index]?.notnull === 1);
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, kind: kinds[column.type.toLowerCase()] ?? 'text' })),
    key: primary.length ? primary : (unique.find(isKey) ?? columns.keys().toArray()),
  };
}

function openSnapshot(reader: DatabaseSync): Snapshot {
  reader.exec('begin');
  // A transaction begins with its first statement.
  reader.prepare('select count(*) from sqlite_schema').get();
  return {
    async *pages(table) {
      const { name, columns, key } = table;
      const order = key.map((index) => `${quote(columns[index]?.name ?? '')} NULLS LAST`).join(', ');
      const statement = reader.prepare(
        `select ${columns.map((column) => quote(column.name)).join(', ')} from ${quote(name)}
         ${name === 'setting' ? `where name <> '${moveSetting}'` : ''} order by ${order}`,
      );
      statement.setReturnArrays(true);
      let page: Row[] = [];
      for (const row of statement.iterate() as Iterable<unknown>) {
        page.push((row as unknown[]).map((value, index) => read(value, columns[index], name)));
        if (page.length < pageRows) continue;
        yield page;
        page = [];
      }
      if (page.length) yield page;
    },
    async counters() {
      const rows = reader.prepare('select name, seq from sqlite_sequence').all();
      return new Map(rows.map(({ name, seq }) => [String(name), Number(seq)]));
    },
    async [Symbol.asyncDispose]() {
      if (reader.isOpen) reader.close();
    },
  };
}

function read(value: unknown, column: Column | undefined, table: string): Value {
  if (value === null) return null;
  if (column?.kind === 'boolean') return value !== 0;
  if (column?.kind === 'time') {
    const time = new Date(value as string | number);
    if (Number.isNaN(time.getTime()))
      throw new Error(`${table}.${column.name} has "${String(value)}", which is no time`);
    return time.toISOString();
  }
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`${table}.${column?.name ?? ''} has a value that cannot be copied`);
}

const writable = (value: Value): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value);

function writerOf(database: DatabaseSync): Writer {
  return {
    async remove({ name, columns, key }, rows) {
      const one = `(${key.map((index) => `${quote(columns[index]?.name ?? '')} is ?`).join(' and ')})`;
      for (let at = 0; at < rows.length; at += removedAtOnce) {
        const chunk = rows.slice(at, at + removedAtOnce);
        const statement = database.prepare(`delete from ${quote(name)} where ${chunk.map(() => one).join(' or ')}`);
        statement.run(...chunk.flatMap((row) => key.map((index) => writable(row[index] ?? null))));
      }
    },
    async insert({ name, columns }, rows) {
      const names = columns.map((column) => quote(column.name)).join(', ');
      const statement = database.prepare(
        `insert or ignore into ${quote(name)} (${names}) values (${columns.map(() => '?').join(', ')})`,
      );
      for (const row of rows) statement.run(...row.map(writable));
    },
  };
}
