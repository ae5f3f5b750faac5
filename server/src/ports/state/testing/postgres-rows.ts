/** Makes a PostgreSQL database again what it was after its migrations. */
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const relations = "(select oid from pg_class where relnamespace = 'public'::regnamespace)";

async function readShape(client: Client): Promise<string> {
  const { rows } = await client.query<Record<string, string>>(`select
    (select md5(string_agg(relname, ',' order by relname)) from pg_class where oid in ${relations}) as relations,
    (select md5(string_agg(attname || ' ' || atttypid, ',' order by attrelid, attnum)) from pg_attribute
      where attnum > 0 and attrelid in ${relations}) as columns,
    (select md5(string_agg(conname, ',' order by conname)) from pg_constraint
      where connamespace = 'public'::regnamespace) as constraints,
    (select count(*) from pg_trigger where tgrelid in ${relations}) as triggers,
    (select count(*) from pg_proc where pronamespace = 'public'::regnamespace) as functions`);
  return JSON.stringify(rows);
}

/** Differs where tables, columns, indexes, constraints, triggers or functions differ. */
export const shapeOf = (url: string): Promise<string> => withClient(url, readShape);

/** Servers notice a while later that who was connected has gone. */
async function isAlone(client: Client): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const { rows } = await client.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    );
    if (rows.length === 0) return true;
    await delay(25);
  }
  return false;
}

/**
 * Deletes all rows but the names of the migrations; numbers begin anew. False where more than rows has changed, or where
 * others are connected, and nothing is done.
 */
export const clearDatabase = (url: string, shape: string): Promise<boolean> =>
  withClient(url, async (client) => {
    if (!(await isAlone(client)) || (await readShape(client)) !== shape) return false;
    // Of a hundred tables a test writes into some; the others have no bytes.
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migration'
          and pg_relation_size(oid) > 0`,
    );
    const statements = [
      // Neither triggers nor references, so that the order does not matter.
      'set session_replication_role = replica',
      ...rows.map(({ name }) => `delete from ${name}`),
      `select setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
        from pg_sequences where last_value is not null`,
    ];
    await client.query(statements.join(';'));
    return true;
  });
