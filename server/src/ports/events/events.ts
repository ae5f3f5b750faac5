/**
 * The events port: append-only telemetry and analytical queries, in ClickHouse SQL over ClickHouse's HTTP interface.
 * The embedded engine and a cluster are reached by the same client, so there is one adapter.
 */
import type { TableRows } from '../../base/tables/index.ts';
import type { Block } from './blocks/encode.ts';
import type { EventIndex } from '../event-index/event-index.ts';
import type { Payloads } from '../payloads/payloads.ts';

/** Values of `{name:Type}` placeholders; the only way a value from outside may reach SQL. */
export type QueryParams = Readonly<Record<string, unknown>>;

export interface QueryOptions {
  /** Cancels the query when aborted. */
  readonly signal?: AbortSignal;
  /** Seconds after which the engine gives up; 30 unless told. */
  readonly maxExecutionSeconds?: number;
  /** It looks at whole rows of a whole table: a few at a time, so that it needs as little memory of a large one as of a small one. */
  readonly inSmallPieces?: boolean;
}

/** Where the engine listens; enough for a worker thread to open a client of its own. */
export interface EventsAddress {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** Folder of the payloads of its errors; unset where they lie in their rows. */
  readonly payloadsDir?: string;
  /** The same on S3, where several nodes write them. */
  readonly payloadsUrl?: string;
  /** ClickHouse cluster over which the rows are spread, see layout.ts; unset for a single node. */
  readonly cluster?: string;
}

export interface Events extends AsyncDisposable {
  readonly address: EventsAddress;
  /** Of errors. Rows say with `payload_segment` and `payload_ordinal` where theirs is; undefined where rows have it. */
  readonly payloads: Payloads | undefined;
  /** Of the same; undefined where there is none, and in threads, which tell it by the one that has it open. */
  readonly index: EventIndex | undefined;
  /** Rows of one batch into one table. Repeating it with the same token changes nothing. */
  insert<T extends keyof TableRows>(table: T, rows: readonly TableRows[T][], token: string): Promise<void>;
  /** The same with rows that are encoded already. */
  insertBlock(table: keyof TableRows, block: Block, token: string): Promise<void>;
  /** UInt64 come back as numbers (they are counts; precision ends at 2^53), DateTime64 as ClickHouse text in UTC. */
  query<Row>(sql: string, params?: QueryParams, options?: QueryOptions): Promise<Row[]>;
  /** A statement without a result, where the rows are: on a cluster it names the table with `layoutOf(address).onCluster`. */
  command(sql: string, params?: QueryParams): Promise<void>;
  /** Resolves to true when the engine answers within two seconds. */
  ready(): Promise<boolean>;
  close(): Promise<void>;
}
