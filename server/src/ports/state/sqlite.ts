import { AsyncLocalStorage } from 'node:async_hooks';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { makeDataDir } from '../../base/data-dir.ts';
import { columnSpelling } from './capabilities.ts';
import { migrations } from './migrations/index.ts';
import { applyMigrations } from './migrations/migration.ts';
import type { StateSchema } from './schema.ts';
import { freeBytes, giveBackPages, prepareNew } from './smaller-file.ts';
import { isBusy, sqliteDialect } from './sqlite-driver.ts';
import type { TransactionScope } from './sqlite-driver.ts';
import type { State, StateCapabilities, StateTransaction } from './state.ts';
import { storableText } from './storable-text.ts';

/** Opens `<dataDir>/state.db`, made if it is not there. Threads and processes may have it open side by side. */
export async function openSqliteState({ dataDir }: { dataDir: string }): Promise<State> {
  await makeDataDir(dataDir);
  const path = join(dataDir, 'state.db');
  const database = await openDatabase(path);
  // It holds password hashes and session tokens.
  await chmod(path, 0o600);

  const scopes = new AsyncLocalStorage<TransactionScope>();
  const db = new Kysely<StateSchema>({
    dialect: sqliteDialect({ database, currentScope: () => scopes.getStore() }),
    plugins: [storableText()],
  });
  const capabilities: StateCapabilities = { dialect: 'sqlite' };

  const transaction = <T>(work: (trx: StateTransaction) => Promise<T>): Promise<T> =>
    db.transaction().execute(async (trx) => {
      const scope: TransactionScope = { active: true };
      try {
        return await scopes.run(scope, () => work(trx));
      } finally {
        scope.active = false;
      }
    });

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closeDatabase());
  const closeDatabase = async (): Promise<void> => {
    await db.destroy();
    // Kysely leaves a database alone that was never asked anything.
    if (database.isOpen) database.close();
  };
  const state: State = {
    db,
    capabilities,
    transaction,
    migrate: () => transaction((trx) => applyMigrations(trx, columnSpelling(capabilities), migrations)),
    // Its directory is one node's alone.
    alone: (_name, work) => work(),
    shrink: (options = {}) => giveBackPages({ state, database, path }, options),
    // Past what waits for its turn.
    ping: async () => void database.prepare('select 1').get(),
    sizes: async () => ({ bytes: undefined, spareBytes: freeBytes(database) }),
    close,
    [Symbol.asyncDispose]: close,
  };
  return state;
}

async function openDatabase(path: string): Promise<DatabaseSync> {
  // Short on purpose: longer waits are the driver's, outside of SQLite.
  const database = new DatabaseSync(path, { timeout: 25, enableForeignKeyConstraints: true });
  const giveUpAt = Date.now() + 10_000;
  for (;;) {
    try {
      prepareNew(database);
      // Switching to WAL takes the whole file for a moment, and does not wait for others by itself.
      database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma journal_size_limit = 67108864;');
      return database;
    } catch (error) {
      if (!isBusy(error) || Date.now() > giveUpAt) {
        database.close();
        throw error;
      }
      await delay(5 + Math.random() * 20);
    }
  }
}
