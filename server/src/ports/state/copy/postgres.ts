/** A state store in PostgreSQL, to copy from and to; see `side.ts`. */
import { Client, type QueryResultRow, types } from 'pg';
import type { CopySide, Kind, Row, Snapshot, Table, Value, Writer } from './side.ts';
import { leftOut, moveSetting } from './side.ts';

const pageRows = 2_000;
/** PostgreSQL takes at most 65,535 values in a statement. */
const mostValues = 30_000;
const removedAtOnce = 500;
const int8 = 20;
const numeric = 1700;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const kinds: Readonly<Record<string, Kind>> = {
  bigint: 'number',
  integer: 'number',
  smallint: 'number',
  'double precision': 'number',
  boolean: 'boolean',
  'timestamp with time zone': 'time',
};

export interface PostgresSide extends CopySide {
  /** Connections to the database that are not its own. */
  others(): Promise<number>;
}

const applicationName = 'culprit-move';

/** A database that is migrated. */
export async function openPostgresSide({ url }: { url: string }): Promise<PostgresSide> {
  const clients: Client[] = [];
  const connect = async (): Promise<Client> => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: 10_000,
      application_name: applicationName,
      types: {
        getTypeParser: (oid: number, format?: 'text' | 'binary') =>
          oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format as 'text'),
      },
    });
    // What breaks is told by the statement that finds it broken.
    client.on('error', () => {});
    await client.connect();
    clients.push(client);
    return client;
  };
  const main = await connect();
  const query = async <R extends QueryResultRow>(sql: string, values: unknown[] = []): Promise<R[]> =>
    (await main.query<R>(sql, values)).rows;
  const readTables = async (): Promise<Map<string, Table>> => {
    const [columns, keys] = await Promise.all([query<ColumnRow>(columnsSql), query<KeyRow>(keysSql)]);
    const names = [...new Set(columns.map(({ table }) => table))].filter((name) => !leftOut.has(name));
    return new Map(names.map((name) => [name, tableOf(name, columns, keys)] as const));
  };

  return {
    tables: readTables,
    migrations: async () =>
      (await query<{ name: string }>('select name from migration order by name collate "C"')).map(({ name }) => name),
    snapshot: async () => openSnapshot(await connect()),
    async freeze() {
      const tables = await readTables();
      const client = await connect();
      await client.query('begin');
      const names = [...tables.keys()].map(quote).join(', ');
      // Others may read. Whoever has begun to write ends that first.
      await client.query(`lock table ${names} in exclusive mode`);
      return { [Symbol.asyncDispose]: () => client.end() };
    },
    async write(work) {
      await main.query('begin');
      try {
        await work(writerOf(main));
        await main.query('commit');
      } catch (error) {
        await main.query('rollback').catch(() => {});
        throw error;
      }
    },
    async setCounters(counters) {
      for (const { table, column } of await query<{ table: string; column: string }>(countedSql)) {
        const last = counters.get(table) ?? 0;
        await main.query('select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)', [
          quote(table),
          column,
          last,
        ]);
      }
    },
    async references() {
      const references = await query<Reference>(referencesSql);
      return references.map(
        ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT ${quote(name)} ${definition}`,
      );
    },
    async loosen() {
      for (const { table, name } of await query<Reference>(referencesSql)) {
        await main.query(`alter table ${table} drop constraint ${quote(name)}`);
      }
    },
    async tighten(references) {
      await main.query('begin');
      try {
        for (const statement of references) await main.query(statement);
        await main.query('commit');
      } catch (error) {
        await main.query('rollback').catch(() => {});
        throw error;
      }
    },
    async others() {
      const [row] = await query<{ n: number }>(
        `select count(*) as n from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and application_name <> $1`,
        [applicationName],
      );
      return row?.n ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(clients.map((client) => client.end().catch(() => {})));
    },
  };
}

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
}

interface Reference {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

interface KeyRow {
  readonly table: string;
  readonly primary: boolean;
  readonly columns: readonly string[];
}

const columnsSql = `
  select c.table_name as "table", c.column_name as "column", c.data_type as type, c.is_nullable = 'YES' as nullable
  from information_schema.columns c
  join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name
  where c.table_schema = current_schema() and t.table_type = 'BASE TABLE'
  order by c.table_name collate "C", c.ordinal_position`;

const keysSql = `
  select t.relname as "table", i.indisprimary as "primary", array_agg(a.attname::text order by k.place) as columns
  from pg_index i
  join pg_class t on t.oid = i.indrelid
  cross join lateral unnest(i.indkey::int[]) with ordinality as k(number, place)
  join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
  where t.relnamespace = current_schema()::regnamespace and i.indisunique and i.indpred is null and i.indexprs is null
  group by i.indexrelid, t.relname, i.indisprimary
  order by i.indisprimary desc, i.indexrelid::regclass::text collate "C"`;

const countedSql = `
  select table_name as "table", column_name as "column" from information_schema.columns
  where table_schema = current_schema() and is_identity = 'YES'`;

const referencesSql = `
  select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace`;

function tableOf(name: string, allColumns: readonly ColumnRow[], keys: readonly KeyRow[]): Table {
  const columns = allColumns.filter(({ table }) => table === name);
  const indexOf = (column: string): number => columns.findIndex((each) => each.column === column);
  const isKey = (names: readonly string[]): boolean =>
    names.every((column) => columns[indexOf(column)]?.nullable === false);
  const key = keys.find((each) => each.table === name && (each.primary || isKey(each.columns)))?.columns.map(indexOf);
  return {
    name,
    columns: columns.map(({ column, type }) => ({ name: column, kind: kinds[type] ?? 'text' })),
    key: key ?? columns.keys().toArray(),
  };
}

async function openSnapshot(client: Client): Promise<Snapshot> {
  await client.query('begin isolation level repeatable read read only');
  // A transaction sees what was there at its first statement.
  await client.query('select 1');
  return {
    async *pages({ name, columns, key }) {
      const order = key.map((index) => {
        const column = columns[index];
        return `${quote(column?.name ?? '')}${column?.kind === 'text' ? ' collate "C"' : ''} NULLS LAST`;
      });
      await client.query(
        `declare rows no scroll cursor for select ${columns.map((column) => quote(column.name)).join(', ')}
         from ${quote(name)} ${name === 'setting' ? `where name <> '${moveSetting}'` : ''} order by ${order.join(', ')}`,
      );
      try {
        for (;;) {
          const { rows } = await client.query<unknown[]>({ text: `fetch ${pageRows} from rows`, rowMode: 'array' });
          if (rows.length > 0) yield rows.map((row): Row => row.map(read));
          if (rows.length < pageRows) return;
        }
      } finally {
        await client.query('close rows').catch(() => {});
      }
    },
    async counters() {
      const counters = new Map<string, number>();
      const { rows } = await client.query<{ table: string; column: string }>(countedSql);
      for (const { table, column } of rows) {
        const { rows: names } = await client.query<{ sequence: string }>(
          'select pg_get_serial_sequence($1, $2) as sequence',
          [quote(table), column],
        );
        const { rows: last } = await client.query<{ last: number }>(
          `select case when is_called then last_value else 0 end as last from ${names[0]?.sequence ?? ''}`,
        );
        counters.set(table, last[0]?.last ?? 0);
      }
      return counters;
    },
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const read = (value: unknown): Value => (value instanceof Date ? value.toISOString() : (value as Value));

function writerOf(client: Client): Writer {
  return {
    async remove({ name, columns, key }, rows) {
      for (let at = 0; at < rows.length; at += removedAtOnce) {
        const values: Value[] = [];
        const one = (row: Row): string =>
          `(${key
            .map((index) => {
              const value = row[index] ?? null;
              const column = quote(columns[index]?.name ?? '');
              // An index is of no use where there may be no value.
              if (value === null) return `NOT (${column} IS NOT NULL)`;
              values.push(value);
              return `${column} = $${values.length}`;
            })
            .join(' and ')})`;
        const conditions = rows.slice(at, at + removedAtOnce).map(one);
        await client.query(`delete from ${quote(name)} where ${conditions.join(' or ')}`, values);
      }
    },
    async insert({ name, columns }, rows) {
      const names = columns.map((column) => quote(column.name)).join(', ');
      const step = Math.max(1, Math.floor(mostValues / columns.length));
      for (let at = 0; at < rows.length; at += step) {
        const chunk = rows.slice(at, at + step);
        const marks = chunk.map(
          (_, row) => `(${columns.map((__, column) => `$${row * columns.length + column + 1}`).join(', ')})`,
        );
        await client.query(
          `insert into ${quote(name)} (${names}) values ${marks.join(', ')} on conflict do nothing`,
          chunk.flat(),
        );
      }
    },
  };
}
