/** All pages of the state store written anew, so that nothing of what was deleted or changed is left in its files. */
import { statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { runThread } from '../../base/jobs/index.ts';
import { stateFile } from './snapshot.ts';
import type { State } from './state.ts';

/** Writes wait meanwhile, and give up after ten seconds: what is larger is left to `culprit migrate --compact`. */
const mostBytes = 512 * 2 ** 20;
const tries = 100;
const pollMs = 50;

export interface OverwriteSetup {
  readonly path: string;
}

/** Resolves to the bytes of a store that was too large for it and is left as it is; 0 once it is done. */
export async function overwriteState(
  { db, capabilities }: State,
  dataDir: string,
  signal: AbortSignal,
  /** Of PostgreSQL; all unless given. */
  tables?: readonly string[],
): Promise<number> {
  if (capabilities.dialect === 'postgres') return overwriteTables(db, signal, tables);
  const path = stateFile(dataDir);
  const { size } = statSync(path);
  if (size > mostBytes) {
    await emptyJournal(path, signal);
    return size;
  }
  const module = new URL('./overwrite-thread.ts', import.meta.url);
  const setup: OverwriteSetup = { path };
  // In a thread of its own: those who read go on, and the event loop does too.
  await runThread({ module, name: 'overwrite', setup, graceMs: 0, onMessage: () => undefined }, signal);
  signal.throwIfAborted();
  await emptyJournal(path, signal);
  return 0;
}

/** Somebody has a table for longer: nobody else would get at it meanwhile. */
const lockMs = 2_000;

/** What an ordinary vacuum leaves free keeps its bytes. Resolves to the bytes of tables that are large, or in use. */
async function overwriteTables(
  db: State['db'],
  signal: AbortSignal,
  wanted: readonly string[] | undefined,
): Promise<number> {
  const { rows: all } = await sql<{ name: string; bytes: number }>`
    select relname as name, pg_total_relation_size(oid) as bytes from pg_class
    where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`.execute(db);
  const tables = all.filter(({ name }) => wanted?.includes(name) ?? true);
  return db.connection().execute(async (own) => {
    let left = 0;
    await sql`select set_config('lock_timeout', ${`${lockMs}ms`}, false)`.execute(own);
    try {
      for (const { name, bytes } of tables) {
        signal.throwIfAborted();
        if (Number(bytes) <= mostBytes && (await vacuumed(own, name))) continue;
        left += Number(bytes);
        await sql`vacuum ${sql.table(name)}`.execute(own);
      }
    } finally {
      await sql`select set_config('lock_timeout', '0', false)`.execute(own);
    }
    return left;
  });
}

const lockNotAvailable = '55P03';

async function vacuumed(db: State['db'], table: string): Promise<boolean> {
  try {
    await sql`vacuum (full) ${sql.table(table)}`.execute(db);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === lockNotAvailable) return false;
    throw error;
  }
}

/** Waits for readers of older pages, a few seconds at most. */
async function emptyJournal(path: string, signal: AbortSignal): Promise<void> {
  const database = new DatabaseSync(path);
  try {
    for (let count = 0; count < tries; count++) {
      const result = database.prepare('pragma wal_checkpoint(truncate)').get();
      if (Number(result?.['busy']) === 0) return;
      await delay(pollMs, undefined, { signal });
    }
  } finally {
    database.close();
  }
}
