/**
 * The log's LMDB environment: which records, batches and counters are on disk. Every change is one transaction,
 * and its promise resolves after fdatasync. Values are kept as they are given: sealed.
 */
import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { open } from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { Slabs } from '../../base/slabs.ts';
import type { LogRecord, Position } from './log.ts';

export interface BatchRange {
  readonly from: Position;
  readonly to: Position;
  readonly records: number;
  readonly bytes: number;
}

/** Counters that must be right after a crash: written in the transaction of the change they count. */
export interface Head {
  /** The position that the next record gets. */
  readonly next: Position;
  /** Appended and not acknowledged. */
  readonly records: number;
  readonly bytes: number;
}

export interface Change {
  readonly head: Head;
  readonly append: readonly LogRecord[];
  readonly lease: readonly BatchRange[];
  readonly acknowledge: readonly Acknowledged[];
  /** Records that were set aside, to be forgotten. */
  readonly forget?: readonly Position[];
}

export interface Acknowledged extends BatchRange {
  /** Not to be forgotten, but set aside. */
  readonly unreadable: readonly Position[];
}

export interface AsideRecord extends LogRecord {
  /** Since when, ms since the epoch. */
  readonly since: number;
}

export interface LmdbStore {
  readonly logId: string;
  /** False while it may hold, also in pages that are free, what an earlier version wrote in the clear. */
  readonly isSealed: boolean;
  readonly head: Head;
  /** In order of their ranges. */
  readonly batches: readonly BatchRange[];
  /** How many bytes the records from `start` on take. Stop iterating to stop reading. */
  sizes(start: Position): Iterable<{ readonly position: Position; readonly bytes: number }>;
  /** Records from `start` on, in memory that nobody but those of one reading share. Stop iterating to stop reading. */
  read(start: Position, end?: Position): Iterable<LogRecord>;
  /** Records that were set aside, in order. */
  readAside(start: Position): Iterable<AsideRecord>;
  countAside(): number;
  /** Durable when it resolves. */
  setAside(records: readonly AsideRecord[]): Promise<void>;
  /** Durable when it resolves. After a failure the store must be closed: LMDB may refuse, or hang, from then on. */
  write(change: Change): Promise<void>;
  /** Pages in use or free for the next write: the size of the file; of those the ones in use. Bytes. */
  extent(): { readonly fileBytes: number; readonly heldBytes: number };
  /** As it is now, without free pages, in a file that is not there yet. Not flushed. */
  copyTo(path: string): Promise<void>;
  /** Resolves once that copy, which is `done` some time later, is of a moment that has been. */
  copyBegun(path: string, done: Promise<void>): Promise<void>;
  close(): Promise<void>;
}

export const logFile = 'log.mdb';
const chunkBytes = 32 * 2 ** 20;
const begunPollMs = 2;
const chunkRecords = 2_000;

export interface LmdbStoreOptions {
  readonly dir: string;
  /** Sizes the address space to be mapped, not the file. */
  readonly limitBytes: number;
  /** `log.mdb` unless told. */
  readonly file?: string;
  /** For a file that is to take another's place: that one's id. */
  readonly logId?: string;
}

export function openLmdbStore({ dir, limitBytes, file = logFile, logId: wantedId }: LmdbStoreOptions): LmdbStore {
  const path = join(dir, file);
  const root: RootDatabase = open({
    path,
    // Otherwise a write is said to be done when it is visible, and flushed some time later.
    overlappingSync: false,
    // Twice the limit, as a value of just over half a page takes a whole one. LMDB enlarges it when that is not enough.
    mapSize: Math.ceil((2 * limitBytes + 2 ** 30) / 4096) * 4096,
  });
  // A batch is handed over to another thread, which takes time for each buffer: so its records share a few.
  let copies = new Slabs();
  // Values that are read go straight into the memory of their batch. An option that lmdb documents, and leaves out of its types.
  const encoder = {
    encode: (value: Uint8Array) => value,
    decode: (lent: Uint8Array, length: number) => {
      const copy = copies.take(length);
      copy.set(new Uint8Array(lent.buffer, lent.byteOffset, length));
      return copy;
    },
  };
  const recordOptions = { name: 'records', encoding: 'binary', encoder } as const;
  const records: Database<Uint8Array, number> = root.openDB(recordOptions);
  // The same ones, of which nothing is copied.
  const measure = { encode: () => new Uint8Array(), decode: (_: Uint8Array, length: number) => length };
  const measureOptions = { name: 'records', encoding: 'binary', encoder: measure } as const;
  const measured: Database<number, number> = root.openDB(measureOptions);
  const batches: Database<Omit<BatchRange, 'from'>, number> = root.openDB({ name: 'batches', encoding: 'json' });
  const aside: Database<Buffer, number> = root.openDB({ name: 'aside', encoding: 'binary' });
  const facts: Database<unknown, string> = root.openDB({ name: 'facts', encoding: 'json' });

  let logId = facts.get('id') as string | undefined;
  if (logId === undefined) {
    logId = wantedId ?? randomBytes(8).toString('hex');
    facts.putSync('id', logId);
    facts.putSync('sealed', true);
  }

  let closed: Promise<void> | undefined;
  const refuseIfClosed = (): void => {
    if (closed) throw new Error("the log's file is closed");
  };
  return {
    logId,
    isSealed: facts.get('sealed') === true,
    get head() {
      root.resetReadTxn();
      return (facts.get('head') as Head | undefined) ?? { next: 1, records: 0, bytes: 0 };
    },
    batches: [...batches.getRange()].map(({ key, value }) => ({ ...value, from: key })),

    *sizes(start) {
      refuseIfClosed();
      root.resetReadTxn();
      for (const { key, value } of measured.getRange({ start })) yield { position: key, bytes: value };
    },

    *read(start, end) {
      refuseIfClosed();
      root.resetReadTxn();
      copies = new Slabs();
      for (const { key, value } of records.getRange({ start, end: end === undefined ? undefined : end + 1 })) {
        yield { position: key, value };
      }
    },

    *readAside(start) {
      refuseIfClosed();
      root.resetReadTxn();
      for (const { key, value } of aside.getRange({ start })) {
        const copy = ownCopy(value);
        yield {
          position: key,
          since: new DataView(copy.buffer).getFloat64(0),
          value: copy.subarray(Float64Array.BYTES_PER_ELEMENT),
        };
      }
    },
    countAside: () => aside.getKeysCount(),
    async setAside(all) {
      const writes = all.map(({ position, value, since }) => aside.put(position, withTime(value, since)));
      await Promise.all(writes);
    },

    async write(change) {
      refuseIfClosed();
      // What is called in one turn of the event loop is one transaction. The promise of the last call is that of the commit.
      for (const { position, value } of change.append) void records.put(position, value as Buffer);
      for (const { from, ...rest } of change.lease) void batches.put(from, rest);
      for (const position of change.forget ?? []) void aside.remove(position);
      for (const { from, to, unreadable } of change.acknowledge) {
        for (const position of unreadable) {
          const value = records.getBinary(position);
          if (value) void aside.put(position, withTime(value, Date.now()));
        }
        for (let position = from; position <= to; position++) void records.remove(position);
        void batches.remove(from);
      }
      try {
        await facts.put('head', change.head);
      } catch (error) {
        throw await reasonOf(error);
      }
    },

    extent() {
      refuseIfClosed();
      const { pageSize, lastPageNumber } = root.getStats() as FileStats;
      const pages = [records, batches, aside, facts].reduce(
        (sum, table) => sum + pagesOf(table.getStats() as TableStats),
        0,
      );
      return { fileBytes: (lastPageNumber + 1) * pageSize, heldBytes: pages * pageSize };
    },
    async copyTo(to) {
      refuseIfClosed();
      await root.backup(to, true);
    },
    async copyBegun(to, done) {
      const over = done.then(
        () => true,
        () => true,
      );
      // LMDB begins its reading before it writes the first page.
      while (!(await hasContent(to))) if (await Promise.race([over, delay(begunPollMs, false)])) return done;
    },
    close: () => (closed ??= root.close()),
  };
}

const hasContent = (path: string): Promise<boolean> =>
  stat(path).then(
    ({ size }) => size > 0,
    () => false,
  );

/** What LMDB tells of a file, and of a table in it. */
interface FileStats {
  readonly pageSize: number;
  readonly lastPageNumber: number;
}

interface TableStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: TableStats): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages;

/** The reader lends one buffer for all values, whose `length` is not the array's own; nothing of it may be kept. */
function ownCopy(value: Uint8Array): Uint8Array {
  const copy = new Uint8Array(value.length);
  copy.set(Uint8Array.prototype.subarray.call(value, 0, value.length));
  return copy;
}

/** All of them, a few at a time: while others are written, no reading may stand open. */
export function* inChunks<R extends LogRecord>(read: (start: Position) => Iterable<R>): Generator<R[], void, void> {
  for (let start = 0; ;) {
    const chunk: R[] = [];
    let bytes = 0;
    for (const record of read(start)) {
      chunk.push(record);
      bytes += record.value.length;
      if (bytes > chunkBytes || chunk.length >= chunkRecords) break;
    }
    const last = chunk.at(-1);
    if (!last) return;
    start = last.position + 1;
    yield chunk;
  }
}

function withTime(value: Uint8Array, time: number): Buffer {
  const stamped = Buffer.alloc(Float64Array.BYTES_PER_ELEMENT + value.length);
  stamped.writeDoubleBE(time);
  stamped.set(ownCopy(value), Float64Array.BYTES_PER_ELEMENT);
  return stamped;
}

/** A failed commit says "see commitError", a promise that fails with what LMDB or the system said. */
async function reasonOf(failure: unknown): Promise<unknown> {
  if (!(failure instanceof Error && 'commitError' in failure)) return failure;
  const said = Promise.resolve(failure.commitError).then(
    () => failure,
    (reason: unknown) => reason,
  );
  return Promise.race([said, delay(1000, failure, { ref: false })]);
}
