/** Everything that an installation has stored, as it reads when it is opened, and as it lies on the disk. */
import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { inflateSync } from 'node:zlib';
import { openBlobs } from '../../../src/ports/blobs/open.ts';
import { type PayloadColumns, withPayloads } from '../../../src/ports/events/payload-rows.ts';
import type { Server } from '../../harness.ts';

/** `where` is a table with its column, a blob, a file. */
export interface Found {
  readonly where: string;
  readonly text: string;
}

type Row = PayloadColumns & Readonly<Record<string, unknown>>;

/** Rows of all tables of the events store, views and what they fill included. */
export async function* rowsOfEvents(server: Server): AsyncGenerator<Found, void, void> {
  await using events = await server.events();
  const tables = await events.query<{ name: string }>(
    `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name`,
  );
  for (const { name } of tables) {
    const rows = await events.query<Row>(`SELECT * FROM "${name}"`);
    // Payloads lie beside their rows.
    const whole = name === 'errors' ? await withPayloads(events, rows) : rows;
    for (const row of whole) {
      for (const [column, value] of Object.entries(row)) yield { where: `${name}.${column}`, text: textOf(value) };
    }
  }
}

/** Columns of a table of the events store that hold text. */
export async function textColumns(server: Server, tables: readonly string[]): Promise<string[]> {
  await using events = await server.events();
  const columns = await events.query<{ table: string; name: string }>(
    `SELECT table, name FROM system.columns
     WHERE database = currentDatabase() AND table IN {tables:Array(String)} AND type LIKE '%String%'
       AND default_kind NOT IN ('ALIAS', 'MATERIALIZED', 'EPHEMERAL')`,
    { tables },
  );
  return columns.map(({ table, name }) => `${table}.${name}`);
}

export function* rowsOfState(server: Server): Generator<Found, void, void> {
  using db = new DatabaseSync(join(server.dataDir, 'state.db'), { readOnly: true });
  for (const { name } of db.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all()) {
    for (const row of db.prepare(`SELECT * FROM "${String(name)}"`).all()) {
      for (const [column, value] of Object.entries(row))
        yield { where: `state.${String(name)}.${column}`, text: textOf(value) };
    }
  }
}

/** Whole, through the port, and what is compressed inside of them. */
export async function* blobsOf(server: Server): AsyncGenerator<Found, void, void> {
  const blobs = openBlobs({ url: '', dataDir: server.dataDir });
  await using events = await server.events();
  const rows = await events.query<{ key: string }>(`SELECT DISTINCT blob_key AS key FROM items WHERE blob_key != ''`);
  for (const { key } of rows) {
    const bytes = await blobs.get(key);
    if (!bytes) throw new Error(`no blob ${key}`);
    yield { where: 'blobs', text: textOf(bytes) };
    const body = bytes.indexOf(0x0a) + 1;
    if (bytes[body] === 0x78) yield { where: 'blobs', text: textOf(inflateSync(bytes.subarray(body))) };
  }
}

/** The bytes of each file of the data directory. */
export async function* filesOf(server: Server, directory = server.dataDir): AsyncGenerator<Found, void, void> {
  // What is merged meanwhile is gone, whole directories of it, and stands in what it was merged into.
  for (const entry of await readdir(directory, { withFileTypes: true }).catch(unlessGone([]))) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* filesOf(server, path);
    else if (entry.isFile()) {
      const bytes = await readFile(path).catch(unlessGone(Buffer.alloc(0)));
      yield { where: relative(server.dataDir, path), text: bytes.toString('latin1') };
    }
  }
}

function unlessGone<Nothing>(nothing: Nothing): (error: NodeJS.ErrnoException) => Nothing {
  return (error) => {
    if (error.code !== 'ENOENT') throw error;
    return nothing;
  };
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  return JSON.stringify(value) ?? '';
}
