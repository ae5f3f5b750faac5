/** The chDB engine on a data directory: opens it, and runs requests on its sessions. */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { drainPending, Session } from 'chdb';
import { createBurstRelease } from '../../../base/release-memory.ts';
import { copyDefinitions, frozenDir, type Hold, holdLanes, removeFrozen } from './hold.ts';
import { Lane, type LaneName, laneSizes } from './lanes.ts';
import { engineArguments, sessionSettings } from './limits.ts';
import { type EngineSettings, type InsertRequest, type QueryRequest, RequestError } from './request.ts';

export interface EngineAnswer {
  readonly body: Uint8Array;
  readonly rowsRead: number;
  readonly bytesRead: number;
  readonly rowsWritten: number;
  readonly bytesWritten: number;
}

export interface EngineOptions {
  readonly dataDir: string;
  /** Bytes that all statements and merges together may allocate. */
  readonly memoryBytes: number;
  /** Of the engine's own configuration, beside its arguments. */
  readonly configFile?: string | undefined;
}

/** An insert's own settings do not touch these: one block with one token, as an insert by itself is. */
const fileInsertSettings: EngineSettings = {
  use_structure_from_insertion_table_in_table_functions: '1',
  deduplicate_insert_select: 'enable_even_for_bad_queries',
  max_insert_threads: '1',
  max_threads: '1',
};

const longestFreezeMs = 15_000;

/** A dying predecessor may hold the directory for a moment. */
const lockPatienceMs = 20_000;

/** One session with what has been `SET` on it, so that equal requests in a row need no `SET`. */
class Connection {
  readonly session: Session;
  #settings: EngineSettings = {};
  #database = '';

  constructor(session: Session) {
    this.session = session;
  }

  async prepare(database: string, settings: EngineSettings): Promise<void> {
    const changes = Object.keys({ ...this.#settings, ...settings })
      .filter((name) => this.#settings[name] !== settings[name])
      .map((name) => `${name} = ${name in settings ? quote(settings[name] ?? '') : 'DEFAULT'}`);
    if (changes.length > 0) {
      await this.session.queryAsync(`SET ${changes.join(', ')}`);
      this.#settings = settings;
    }
    if (database !== this.#database) {
      await this.session.queryAsync(`USE ${database}`);
      this.#database = database;
    }
  }
}

/** The engine writes into `status` who holds the directory; its own error says it only where that was seen in time. */
function isHeldByAnother(dataDir: string, error: unknown): boolean {
  // Whoever held it may be gone by now.
  if (error instanceof Error && error.message.includes('Cannot lock file')) return true;
  try {
    const pid = Number(/^PID: (\d+)/.exec(readFileSync(join(dataDir, 'status'), 'utf8'))?.[1]);
    return pid > 0 && pid !== process.pid && process.kill(pid, 0);
  } catch {
    return false;
  }
}

const quote = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

export class Engine {
  readonly #lanes: Readonly<Record<LaneName, Lane<Connection>>>;
  readonly #sessions: Session[] = [];
  /** Rows on their way, a file for each insert that runs. */
  readonly #insertsDir: string;
  #inserts = 0;
  readonly #dataDir: string;
  #hold: Hold | undefined;
  readonly #releaseAfterBurst = createBurstRelease(() => void this.#purge());

  static async open(options: EngineOptions): Promise<Engine> {
    const deadline = Date.now() + lockPatienceMs;
    for (;;) {
      try {
        return new Engine(options);
      } catch (error) {
        if (!isHeldByAnother(options.dataDir, error) || Date.now() > deadline) throw error;
        await sleep(100);
      }
    }
  }

  private constructor(options: EngineOptions) {
    this.#dataDir = options.dataDir;
    const { configFile } = options;
    const connectionArgs = [
      ...(configFile === undefined ? [] : [`--config-file=${configFile}`]),
      ...engineArguments(options.memoryBytes),
    ];
    const lane = (name: LaneName): Lane<Connection> =>
      new Lane(
        Array.from({ length: laneSizes[name] }, () => {
          const session = new Session(options.dataDir, { connectionArgs });
          this.#sessions.push(session);
          return new Connection(session);
        }),
      );
    this.#lanes = { read: lane('read'), insert: lane('insert'), command: lane('command'), control: lane('control') };
    // Not before the directory is held: a predecessor may still be reading them.
    this.#insertsDir = join(options.dataDir, 'inserts');
    rmSync(this.#insertsDir, { recursive: true, force: true });
    mkdirSync(this.#insertsDir, { mode: 0o700 });
  }

  /** An abort before the start takes the request out of the queue; a running one is killed. */
  query(request: QueryRequest, signal: AbortSignal): Promise<EngineAnswer> {
    return this.#lanes[request.kind].run((connection) => this.#query(connection, request, signal), signal);
  }

  /**
   * The rows go by a file: as part of a statement they would be read as SQL before they are read as rows, which takes as
   * long as storing them. An abort before the start takes the insert out of the queue.
   */
  async insert(request: InsertRequest, rows: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<EngineAnswer> {
    const file = join(this.#insertsDir, String(this.#inserts++));
    try {
      const bytesWritten = await writeRows(file, rows);
      this.#releaseAfterBurst(bytesWritten);
      return await this.#lanes.insert.run(async (connection) => {
        const rowsWritten = await insertFile(connection, request, file);
        return { body: new Uint8Array(0), rowsRead: 0, bytesRead: 0, rowsWritten, bytesWritten };
      }, signal);
    } finally {
      await rm(file, { force: true });
    }
  }

  /** Answers when the engine itself works, however busy reads and inserts are. */
  async check(signal: AbortSignal): Promise<void> {
    await this.#lanes.control.run(({ session }) => session.queryAsync('SELECT 1'), signal);
  }

  /** From now on nothing is inserted and nothing altered, until `freeze` or `release`, or for a while. */
  async hold(name: string): Promise<void> {
    if (this.#hold) throw new RequestError(425, 'SYSTEM_ERROR', 'The engine is held already');
    // Known before it is there, so that no second one begins meanwhile.
    this.#hold = { name, release() {} };
    const held = (['command', 'insert'] as const).map((lane) => ({ lane: this.#lanes[lane], size: laneSizes[lane] }));
    try {
      this.#hold = await holdLanes(name, held, () => (this.#hold = undefined));
    } catch (error) {
      this.#hold = undefined;
      throw error;
    }
  }

  /** Links the parts of all tables to `shadow/NAME` and copies what belongs to them; then the hold is over. */
  async freeze(name: string): Promise<void> {
    if (this.#hold?.name !== name) throw new RequestError(425, 'SYSTEM_ERROR', 'The engine is no longer held');
    try {
      removeFrozen(this.#dataDir, name);
      copyDefinitions(this.#dataDir, name);
      await this.#lanes.control.run(
        ({ session }) => freezeTables(session, this.#dataDir, name),
        AbortSignal.timeout(longestFreezeMs),
      );
      // Whether it was held until the end: what was inserted meanwhile may be in one table and not in the other.
      if (this.#hold?.name !== name) throw new RequestError(425, 'SYSTEM_ERROR', 'Freezing took too long');
    } finally {
      this.release(name);
    }
  }

  release(name: string): void {
    if (this.#hold?.name === name) this.#hold.release();
  }

  async close(): Promise<void> {
    for (const session of this.#sessions) session.close();
    await drainPending();
  }

  async #query(connection: Connection, request: QueryRequest, signal: AbortSignal): Promise<EngineAnswer> {
    await connection.prepare(request.database, { ...sessionSettings, ...request.settings });
    // The engine gives statements ids of its own; this mark is how a statement is found again to be killed.
    const mark = `/* ${request.queryId} */ `;
    const kill = (): void => void this.#kill(mark);
    signal.addEventListener('abort', kill, { once: true });
    try {
      const sql = mark + request.sql;
      const format = { format: request.format };
      const result = await (Object.keys(request.params).length > 0
        ? connection.session.queryBindAsync(sql, request.params, format)
        : connection.session.queryAsync(sql, format));
      return {
        body: result.bytes(),
        rowsRead: result.rowsRead,
        bytesRead: result.bytesRead,
        rowsWritten: 0,
        bytesWritten: 0,
      };
    } catch (error) {
      await letGo(connection);
      throw error;
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }

  /** What the library's allocator keeps for what comes next goes back to the system. */
  async #purge(): Promise<void> {
    const purge = ({ session }: Connection): Promise<unknown> => session.queryAsync('SYSTEM JEMALLOC PURGE');
    await this.#lanes.control.run(purge, AbortSignal.timeout(5000)).catch(() => {});
  }

  async #kill(mark: string): Promise<void> {
    const sql = `KILL QUERY WHERE startsWith(query, ${quote(mark)}) ASYNC`;
    // A kill that fails leaves the statement to its max_execution_time.
    await this.#lanes.control.run(({ session }) => session.queryAsync(sql), AbortSignal.timeout(5000)).catch(() => {});
  }
}

async function freezeTables(session: Session, dataDir: string, name: string): Promise<void> {
  const tables = await session.queryAsync(
    `SELECT concat('\`', database, '\`.\`', name, '\`') FROM system.tables
     WHERE engine LIKE '%MergeTree' AND database NOT IN ('system', 'information_schema', 'INFORMATION_SCHEMA')`,
    { format: 'TSVRaw' },
  );
  for (const table of linesOf(tables)) {
    const frozen = await session.queryAsync(
      `ALTER TABLE ${table} FREEZE WITH NAME ${quote(name)} SETTINGS alter_partition_verbose_result = 1`,
      { format: 'TSVRaw' },
    );
    // Where it says that it has put them: elsewhere nobody looks.
    for (const line of linesOf(frozen)) {
      const place = line.split('\t').at(-1) ?? '';
      if (!place.startsWith(`${frozenDir(dataDir, name)}/`)) throw new Error(`frozen to another place: ${place}`);
    }
  }
}

const linesOf = (result: { bytes(): Uint8Array }): string[] =>
  Buffer.from(result.bytes()).toString('utf8').split('\n').filter(Boolean);

/** A failed statement keeps its memory and its place in the process list until the next one on the session. */
async function letGo({ session }: Connection): Promise<void> {
  await session.queryAsync('SELECT 1').catch(() => {});
}

/** Bytes written. A piece at a time and at once: they go to the system's memory, and its threads would take longer. */
async function writeRows(file: string, rows: AsyncIterable<Uint8Array>): Promise<number> {
  const descriptor = openSync(file, 'wx', 0o600);
  let size = 0;
  try {
    for await (const piece of rows) {
      for (let at = 0; at < piece.length;) at += writeSync(descriptor, piece, at);
      size += piece.length;
    }
  } catch (error) {
    const isFull = error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');
    throw isFull ? new RequestError(243, 'NOT_ENOUGH_SPACE', 'The disk is full') : error;
  } finally {
    closeSync(descriptor);
  }
  return size;
}

/** Rows written. */
async function insertFile(connection: Connection, request: InsertRequest, file: string): Promise<number> {
  await connection.prepare(request.database, sessionSettings);
  const table = request.table.includes('.') ? request.table : `${request.database}.${request.table}`;
  const columns = request.columns ? ` (${request.columns.join(', ')})` : '';
  const settings = Object.entries({ ...request.settings, ...fileInsertSettings }).map(
    ([name, value]) => `${name} = ${quote(value)}`,
  );
  try {
    const { rowsRead } = await connection.session.queryAsync(
      `INSERT INTO ${table}${columns} SELECT * FROM file(${quote(file)}, ${request.format}) SETTINGS ${settings.join(', ')}`,
    );
    return rowsRead;
  } catch (error) {
    await letGo(connection);
    // Who asked has sent rows, and knows of no file.
    if (error instanceof Error) error.message = error.message.replaceAll(file, 'the rows');
    throw error;
  }
}
