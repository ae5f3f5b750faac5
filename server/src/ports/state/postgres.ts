import { setTimeout as delay } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, type PoolClient, type PoolConfig, types } from 'pg';
import { CodedError } from '../../base/errors.ts';
import { columnSpelling } from './capabilities.ts';
import { migrations } from './migrations/index.ts';
import { applyMigrations } from './migrations/migration.ts';
import { awayError, watched } from './postgres-away.ts';
import type { StateSchema } from './schema.ts';
import type { State, StateCapabilities, StateTransaction } from './state.ts';
import { storableText } from './storable-text.ts';

/** What PostgreSQL says to the loser of a race between transactions: serialization_failure, deadlock_detected. */
const lostRace = new Set<unknown>(['40001', '40P01']);
/** Many writers of one project take turns, and on a busy machine the last of them waits long. */
const raceLimitMs = 30_000;
const busySeconds = 5;
/**
 * A row that work has found missing may be there by the time that it inserts it, and then this is said instead. Said
 * again and again it is what it says.
 */
const uniqueViolation = '23505';
const uniqueAttempts = 8;
/** Any number, the same in every process; only migrations take this lock. */
const migrationLock = 7_420_001;
/** The first of the two numbers of locks for other work; the second is made of its name. */
const workLocks = 7_420_002;

/** Where a connection is cut without a word, nothing else would ever end what waits on it. */
const longestAnswerMs = 120_000;
/** Whoever asks whether it answers waits no longer. */
const pingMs = 5_000;

const int8 = 20;
const numeric = 1700;

/** Opens a pool of connections. Whole numbers of eight bytes and sums come back as numbers: none here reaches 2^53. */
export async function openPostgresState({ url }: { url: string }): Promise<State> {
  const settings: PoolConfig = {
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 || oid === numeric ? Number : types.getTypeParser(oid, format as 'text'),
    },
  };
  const pool = new Pool({ ...settings, max: 10, query_timeout: longestAnswerMs });

  const db = new Kysely<StateSchema>({
    dialect: new PostgresDialect({ pool: watched(pool) }),
    plugins: [storableText()],
  });
  const capabilities: StateCapabilities = { dialect: 'postgres' };

  // Serializable, because the work reads before it writes and must see what it would see under one write lock.
  const transaction = async <T>(work: (trx: StateTransaction) => Promise<T>): Promise<T> => {
    const giveUpAt = Date.now() + raceLimitMs;
    for (let attempt = 1; ; attempt++) {
      try {
        return await db.transaction().setIsolationLevel('serializable').execute(work);
      } catch (error) {
        const code = codeOf(error);
        const hasLost = lostRace.has(code);
        if (!hasLost && !(code === uniqueViolation && attempt < uniqueAttempts)) throw error;
        if (Date.now() > giveUpAt) {
          const busy = { cause: error, retryAfter: busySeconds };
          throw hasLost ? new CodedError('STATE_BUSY', [busySeconds], busy) : error;
        }
        await delay(Math.random() * Math.min(200, 5 * 2 ** attempt));
      }
    }
  };

  const migrate = async (): Promise<string[]> => {
    // They take as long as the rows are many.
    const own = new Kysely<StateSchema>({
      dialect: new PostgresDialect({ pool: watched(new Pool({ ...settings, max: 1 })) }),
    });
    try {
      // Not serializable: a snapshot taken before the lock is got would not show what the process before us applied.
      return await own
        .transaction()
        .setIsolationLevel('read committed')
        .execute(async (trx) => {
          await sql`select pg_advisory_xact_lock(${migrationLock})`.execute(trx);
          return applyMigrations(trx, columnSpelling(capabilities), migrations);
        });
    } finally {
      await own.destroy();
    }
  };

  // Held by a connection of its own, so that it ends with the process.
  const alone = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw awayError(error) ?? error;
    });
    let failure: Error | undefined;
    try {
      // In tries, so that whoever waits long does not look as if nobody answered.
      while (!(await taken(client, name))) await delay(lockEveryMs);
      const result = await work();
      await client.query('select pg_advisory_unlock($1, hashtext($2))', [workLocks, name]);
      return result;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    } finally {
      // With an error the connection is closed, and the lock with it.
      client.release(failure);
    }
  };

  // On a connection of its own: those of the pool may all be taken by work that takes long.
  const pinging = new Pool({
    ...settings,
    connectionTimeoutMillis: pingMs,
    query_timeout: pingMs,
    idleTimeoutMillis: 60_000,
    max: 1,
  });
  pinging.on('error', () => {});
  const ping = async (): Promise<void> => {
    await pinging.query('select 1').catch((error: unknown) => {
      throw awayError(error) ?? error;
    });
  };

  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= closePool());
  const closePool = async (): Promise<void> => {
    await Promise.all([db.destroy(), pinging.end()]);
    if (!pool.ended) await pool.end();
  };
  // PostgreSQL clears up behind itself.
  const shrink = (): Promise<number> => Promise.resolve(0);
  const sizes = async (): Promise<{ bytes: number; spareBytes: number }> => {
    const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(db);
    return { bytes: Number(rows[0]?.bytes ?? 0), spareBytes: 0 };
  };
  return { db, capabilities, transaction, migrate, alone, shrink, ping, sizes, close, [Symbol.asyncDispose]: close };
}

/** Between two tries for a lock that another node has, ms. */
const lockEveryMs = 200;

async function taken(client: PoolClient, name: string): Promise<boolean> {
  const text = 'select pg_try_advisory_lock($1, hashtext($2)) as taken';
  const { rows } = await client.query<{ taken: boolean }>(text, [workLocks, name]);
  return rows[0]?.taken === true;
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);
