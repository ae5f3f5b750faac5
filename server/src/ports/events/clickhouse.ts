/** The events port over ClickHouse's HTTP interface; the same for the embedded engine and for a cluster. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { currentAsker } from '../../base/asker.ts';
import { CodedError } from '../../base/errors.ts';
import { FairQueue } from '../../base/fair-queue.ts';
import { type Block, createEncoder, faultOf, likeColumns } from './blocks/encode.ts';
import type { Events, EventsAddress, QueryOptions, QueryParams } from './events.ts';
import { explainFailure, isLostConnection, retryDelayMs } from './failures.ts';
import { clusterSettings, layoutOf } from './layout.ts';
import type { TableRows } from '../../base/tables/index.ts';
import { EntryList } from '../event-index/entries.ts';
import { type EventIndex, toIndexed } from '../event-index/event-index.ts';
import { parseS3Address } from '../../base/s3/address.ts';
import { createObjects } from '../../base/s3/objects.ts';
import { openFilePayloads } from '../payloads/files.ts';
import { openS3Payloads } from '../payloads/s3.ts';
import type { Payloads } from '../payloads/payloads.ts';

const defaultSeconds = 30;
/** The engine ends a statement itself; this is for one that does not answer any more. */
const graceMs = 5000;
/** Schema changes may rewrite parts. */
const commandSeconds = 600;
const insertSeconds = 120;
const insertAttempts = 5;
const readyWithinMs = 2000;

const querySettings = {
  output_format_json_quote_64bit_integers: 0,
  date_time_output_format: 'simple',
  // Errors in the middle of a result then come with a status instead of inside the result.
  wait_end_of_query: 1,
} as const;

/** Conditions that are tried first are tried on 8,192 rows at a time, by each thread: some hundred MB of what errors hold. */
const smallPieces = { max_threads: 1, max_block_size: '1024', optimize_move_to_prewhere: 0 } as const;

const insertSettings = {
  async_insert: 0,
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // Weeks in one batch are what clients' clocks make them; a batch must never be refused for it.
  max_partitions_per_insert_block: '0',
} as const;

/** Statements of all who ask by the API that run at a time, and of one of them. */
export interface ReadShares {
  readonly reads: number;
  readonly readsEach: number;
}

const ofServer: ReadShares = { reads: 12, readsEach: 6 };
/** Of one person; pages ask twenty at most. */
const maxWaitingReads = 200;

export function openClickHouse(address: EventsAddress, shares = ofServer, index?: EventIndex): Events {
  return new ClickHouseEvents(address, shares, index);
}

class ClickHouseEvents implements Events {
  readonly address: EventsAddress;
  readonly payloads: Payloads | undefined;
  readonly index: EventIndex | undefined;
  readonly #client: ClickHouseClient;
  /** The same on one node; on a cluster in the database that has the rows. */
  readonly #commands: ClickHouseClient;
  readonly #settings: Partial<typeof clusterSettings>;
  /** Of those who ask by the API. */
  readonly #reads: FairQueue;

  constructor(address: EventsAddress, { reads, readsEach }: ReadShares, index: EventIndex | undefined) {
    this.address = address;
    this.index = index;
    this.payloads = payloadsAt(address);
    this.#reads = new FairQueue({
      slots: reads,
      slotsEach: readsEach,
      waitingEach: maxWaitingReads,
      refuse: () => new CodedError('TOO_MANY_READS', [maxWaitingReads], { retryAfter: 5 }),
    });
    const { rows } = layoutOf(address);
    this.#client = createClientOf(address, address.database);
    this.#commands = rows === address.database ? this.#client : createClientOf(address, rows);
    this.#settings = address.cluster ? clusterSettings : {};
  }

  async insert<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][], token: string): Promise<void> {
    if (table === 'revisions') this.index?.noteRevised(rows.map((row) => row.project_id));
    await this.#insertAlike(table, rows, token);
    if (table === 'errors') await this.#addToIndex(rows as readonly TableRows['errors'][]);
  }

  async #addToIndex(rows: readonly TableRows['errors'][]): Promise<void> {
    const entries = new EntryList();
    for (const row of rows) if (row.issue_type === '') entries.add(toIndexed(row));
    if (entries.lost > 0) await this.index?.lose();
    await this.index?.add(entries.bytes());
  }

  async #insertAlike<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][], token: string): Promise<void> {
    for (const [index, alike] of likeColumns(table, rows).entries()) {
      using encoder = createEncoder(table);
      for (const row of alike) {
        const fault = faultOf(table, row);
        if (fault !== undefined) throw new RangeError(`a row of ${table} cannot be stored: ${fault}`);
        encoder.add(row);
      }
      const block = encoder.block();
      if (block) await this.insertBlock(table, block, index === 0 ? token : `${token}.${index}`);
    }
  }

  async insertBlock(table: keyof TableRows, block: Block, token: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#insertOnce(table, block, token);
      } catch (error) {
        const delayMs = attempt < insertAttempts ? retryDelayMs(error, attempt) : undefined;
        if (delayMs === undefined) throw explainFailure(error, insertSeconds);
        await sleep(delayMs);
      }
    }
  }

  query<Row>(sql: string, params: QueryParams = {}, options: QueryOptions = {}): Promise<Row[]> {
    const asker = currentAsker();
    if (!asker) return this.#query(sql, params, options);
    const signals = [asker.signal, options.signal].filter((signal) => signal !== undefined);
    const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
    return this.#reads.run(
      asker.key,
      () => this.#query(sql, params, { ...options, ...(signal && { signal }) }),
      signal,
    );
  }

  async #query<Row>(sql: string, params: QueryParams, options: QueryOptions): Promise<Row[]> {
    const seconds = options.maxExecutionSeconds ?? defaultSeconds;
    const patience = AbortSignal.timeout(seconds * 1000 + graceMs);
    const signal = options.signal ? AbortSignal.any([options.signal, patience]) : patience;
    const ask = async (): Promise<Row[]> => {
      const result = await this.#client.query({
        query: sql,
        query_params: { ...params },
        format: 'JSONEachRow',
        abort_signal: signal,
        clickhouse_settings: {
          ...querySettings,
          ...this.#settings.query,
          ...(options.inSmallPieces && smallPieces),
          max_execution_time: seconds,
        },
      });
      return parseRows<Row>(await result.text());
    };
    try {
      // The engine closes a connection that was idle just as it is taken again: reading a second time is harmless.
      return await ask().catch((error: unknown) => {
        if (signal.aborted || !isLostConnection(error)) throw error;
        return ask();
      });
    } catch (error) {
      if (options.signal?.aborted) throw options.signal.reason;
      throw patience.aborted
        ? new CodedError('QUERY_TIMEOUT', [seconds], { cause: error })
        : explainFailure(error, seconds);
    }
  }

  async command(sql: string, params: QueryParams = {}): Promise<void> {
    try {
      await this.#commands.command({
        query: sql,
        query_params: { ...params },
        clickhouse_settings: {
          ...this.#settings.command,
          ...(this.address.cluster && { distributed_ddl_task_timeout: String(commandSeconds) }),
          max_execution_time: commandSeconds,
          wait_end_of_query: 1,
        },
      });
    } catch (error) {
      throw explainFailure(error, commandSeconds);
    }
  }

  async ready(): Promise<boolean> {
    const { success } = await this.#client.ping({ select: false, abort_signal: AbortSignal.timeout(readyWithinMs) });
    return success;
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#commands.close()]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #insertOnce(table: keyof TableRows, { columns, bytes }: Block, token: string): Promise<void> {
    const { stream } = await this.#client.exec({
      query: `INSERT INTO ${table} (${columns.join(', ')}) FORMAT Native`,
      values: Readable.from([bytes], { objectMode: false }),
      abort_signal: AbortSignal.timeout(insertSeconds * 1000 + graceMs),
      clickhouse_settings: {
        ...insertSettings,
        ...this.#settings.insert,
        max_execution_time: insertSeconds,
        insert_deduplication_token: token,
        wait_end_of_query: 1,
      },
    });
    for await (const _ of stream) {
      // The answer is empty; reading it to its end gives the connection back.
    }
  }
}

const createClientOf = ({ url, username, password }: EventsAddress, database: string): ClickHouseClient =>
  createClient({
    url,
    username,
    password,
    database,
    application: 'culprit',
    max_open_connections: 16,
    // Each call has its own limit, above.
    request_timeout: (commandSeconds + 60) * 1000,
    // The client's own timer for idle sockets has been seen to cut off a request that had taken the socket again;
    // Node's agent follows the server's Keep-Alive header by itself.
    keep_alive: { enabled: true, idle_socket_ttl: 0 },
    use_multipart_params_auto: true,
    log: { level: ClickHouseLogLevel.OFF },
  });

/** JSONEachRow has no raw line break inside a row, so one parse reads all rows. */
function parseRows<Row>(text: string): Row[] {
  const lines = text.trimEnd();
  return JSON.parse(lines.includes('\n') ? `[${lines.replaceAll('\n', ',')}]` : `[${lines}]`) as Row[];
}

function payloadsAt({ payloadsDir: dir, payloadsUrl: url }: EventsAddress): Payloads | undefined {
  if (dir !== undefined) return openFilePayloads({ dir });
  return url === undefined ? undefined : openS3Payloads(createObjects(parseS3Address(url)));
}
