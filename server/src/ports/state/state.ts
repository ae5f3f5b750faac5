/** The state port: small transactional data in SQL through Kysely, on SQLite or PostgreSQL. */
import type { Kysely, Transaction } from 'kysely';
import type { StateSchema } from './schema.ts';

/** Where two databases differ, said once. */
export interface StateCapabilities {
  readonly dialect: 'sqlite' | 'postgres';
}

export type StateTransaction = Transaction<StateSchema>;

export interface ShrinkOptions {
  /** Nobody else uses it yet, so that a file of an earlier version may be written anew for that, where that is quick. */
  readonly isAlone?: boolean;
  /** … and where it takes minutes. */
  readonly takesTime?: boolean;
}

export interface State extends AsyncDisposable {
  readonly db: Kysely<StateSchema>;
  readonly capabilities: StateCapabilities;
  /** Runs `work` in one transaction that holds the write lock from its start; repeats it when the database says it lost a race. */
  transaction<T>(work: (trx: StateTransaction) => Promise<T>): Promise<T>;
  /**
   * Applies pending migrations; returns their names. Safe when several processes start at once. Throws
   * `CodedError('STATE_NEWER')` where a newer version has changed what this one needs.
   */
  migrate(): Promise<string[]>;
  /** Runs `work` while no other node runs work of that name; waits for its turn. Work that is about another store. */
  alone<T>(name: string, work: () => Promise<T>): Promise<T>;
  /**
   * Gives back to the disk what deleted rows have left free, where that is its own to do; resolves to bytes.
   */
  shrink(options?: ShrinkOptions): Promise<number>;
  /** Throws unless the database answers within some seconds, whatever its connections are busy with. */
  ping(): Promise<void>;
  /** What all of it takes, and what of that is in no use; bytes. Undefined where that lies in files of the data directory. */
  sizes(): Promise<{ readonly bytes: number | undefined; readonly spareBytes: number }>;
  close(): Promise<void>;
}
