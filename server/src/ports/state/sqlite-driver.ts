/**
 * Kysely over node:sqlite: one connection, one user at a time.
 *
 * States of the connection: free → acquired → (begin) in transaction → (commit or rollback) acquired → free.
 * Waiting for another connection's write lock happens between statements and not inside SQLite, for a wait inside
 * would stop the whole thread, and with it the very transaction it may be waiting for.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { CompiledQuery, IdentifierNode, RawNode, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';
import type { DatabaseConnection, Dialect, Driver, Kysely, QueryCompiler, QueryResult } from 'kysely';

/** How long a statement tries to get the write lock before its SQLITE_BUSY is handed on. */
const busyLimitMs = 10_000;
const cachedStatements = 256;

/** Stands for the time that a transaction's work runs, to recognise a query that would wait for its own transaction. */
export interface TransactionScope {
  active: boolean;
}

interface Options {
  readonly database: DatabaseSync;
  /** The transaction in whose work the caller runs, if any. */
  readonly currentScope: () => TransactionScope | undefined;
}

export function sqliteDialect(options: Options): Dialect {
  return {
    createDriver: () => new SqliteDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  };
}

class SqliteDriver implements Driver {
  readonly #options: Options;
  readonly #connection: SqliteConnection;
  readonly #waiting: (() => void)[] = [];
  #busy = false;

  constructor(options: Options) {
    this.#options = options;
    this.#connection = new SqliteConnection(options.database);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    if (this.#options.currentScope()?.active) {
      throw new Error('a query inside a transaction must use the transaction; it would wait for itself');
    }
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#busy = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    // Handed over while still marked busy, so that nobody can step in between.
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy = false;
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'));
    connection.inTransaction = true;
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'));
    connection.inTransaction = false;
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    connection.inTransaction = false;
    // SQLite rolls back by itself on some errors (full disk, for one); there is nothing left to roll back then.
    if (this.#options.database.isTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'));
  }

  async savepoint(connection: SqliteConnection, name: string, compile: QueryCompiler['compileQuery']): Promise<void> {
    await connection.executeQuery(savepointQuery('savepoint', name, compile));
  }

  async rollbackToSavepoint(
    connection: SqliteConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await connection.executeQuery(savepointQuery('rollback to', name, compile));
  }

  async releaseSavepoint(
    connection: SqliteConnection,
    name: string,
    compile: QueryCompiler['compileQuery'],
  ): Promise<void> {
    await connection.executeQuery(savepointQuery('release', name, compile));
  }

  async destroy(): Promise<void> {
    if (this.#busy) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    if (this.#options.database.isOpen) this.#options.database.close();
  }
}

const savepointQuery = (command: string, name: string, compile: QueryCompiler['compileQuery']): CompiledQuery =>
  compile(RawNode.createWithChildren([RawNode.createWithSql(`${command} `), IdentifierNode.create(name)]), {
    queryId: `savepoint ${name}`,
  });

interface Prepared {
  readonly statement: StatementSync;
  readonly returnsRows: boolean;
}

class SqliteConnection implements DatabaseConnection {
  inTransaction = false;
  readonly #database: DatabaseSync;
  /** By SQL text; the first is the one used longest ago. */
  readonly #prepared = new Map<string, Prepared>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const values = parameters.map(bindable);
    const giveUpAt = Date.now() + busyLimitMs;
    for (;;) {
      try {
        return this.#run<Row>(sql, values);
      } catch (error) {
        // A transaction has the write lock from its start, so inside one this cannot be cured by waiting.
        if (!isBusy(error) || this.inTransaction || Date.now() > giveUpAt) throw error;
        await delay(1 + Math.random() * 10);
      }
    }
  }

  async *streamQuery<Row>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    // A statement of its own: a cached one could be started again while this one is still being read.
    for (const row of this.#database.prepare(sql).iterate(...parameters.map(bindable))) yield { rows: [row as Row] };
  }

  #run<Row>(sql: string, values: SQLInputValue[]): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(sql);
    if (returnsRows) return { rows: statement.all(...values) as Row[] };
    const { changes, lastInsertRowid } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  #prepare(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (prepared) {
      this.#prepared.delete(sql);
    } else {
      const statement = this.#database.prepare(sql);
      prepared = { statement, returnsRows: statement.columns().length > 0 };
      const oldest = this.#prepared.keys().next();
      if (this.#prepared.size >= cachedStatements && !oldest.done) this.#prepared.delete(oldest.value);
    }
    this.#prepared.set(sql, prepared);
    return prepared;
  }
}

/** SQLite has neither booleans nor times; both are written as better-auth reads them back. */
function bindable(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value instanceof Date) return value.toISOString();
  return value === undefined ? null : (value as SQLInputValue);
}

/** The lower eight bits are the kind of trouble, the upper ones its details. */
export function isBusy(error: unknown): boolean {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' && (code & 0xff) === 5;
}
