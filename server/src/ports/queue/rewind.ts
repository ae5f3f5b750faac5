/**
 * The log as an earlier version goes on with it: what waited when it stopped, in the batches that it had leased, and all
 * that was appended since, under the same positions. It is written beside the log, which stays as it is.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BoxSetup, isSealed } from '../../base/secrets/index.ts';
import type { LogRecord, Position } from './log.ts';
import { type BatchRange, type Head, inChunks, type LmdbStore, logFile, openLmdbStore } from './lmdb-store.ts';
import { listRecordFiles, readRecords, writeRecordFile } from './record-files.ts';
import { readRetained, readStop, retainedDir, type Stop } from './retained.ts';
import { createRecordSeal, type RecordSeal } from './seal.ts';

/** Where the log was. */
export interface LogMark {
  readonly logId: string;
  /** The position of the next record. */
  readonly next: Position;
  /** Leased, and not acknowledged. */
  readonly batches: readonly BatchRange[];
  /** False where the version that wrote it knew no seal. */
  readonly isSealed: boolean;
  /** That waited, with their bytes. */
  readonly records: number;
  readonly bytes: number;
}

export interface LogPlace {
  /** Of the log. */
  readonly dir: string;
  readonly limitBytes: number;
  readonly box: BoxSetup;
}

/** Notes where the log is, and what waits in it in a file of records. Only while nobody has the log open. */
export async function markLog({ dir, limitBytes, box }: LogPlace, file: string): Promise<LogMark> {
  const store = openLmdbStore({ dir, limitBytes });
  try {
    const seal = createRecordSeal({ logId: store.logId, box });
    const chunks = inChunks((start) => store.read(start));
    const { records, bytes } = await writeRecordFile(file, sealed(chunks, seal));
    const { logId, batches, isSealed: isStoreSealed, head } = store;
    return { logId, next: head.next, batches, isSealed: isStoreSealed, records, bytes };
  } finally {
    await store.close();
  }
}

function* sealed(chunks: Iterable<readonly LogRecord[]>, { seal }: RecordSeal): Generator<LogRecord[]> {
  for (const chunk of chunks) {
    yield chunk.map(({ position, value }) => ({ position, value: isSealed(value) ? value : seal(position, [value]) }));
  }
}

export interface Rewound {
  readonly records: number;
  readonly bytes: number;
  /** Records that the key of now does not open; only of a log without a seal. */
  readonly unreadable: number;
}

export interface RewindOptions extends LogPlace {
  readonly mark: LogMark;
  /** What `markLog` wrote. */
  readonly waiting: string;
  /** Folder of the log that is made, which is empty. */
  readonly to: string;
  readonly progress?: (records: number) => void;
}

export async function rewindLog(options: RewindOptions): Promise<Rewound> {
  const { dir, limitBytes, mark, waiting, to, progress } = options;
  await rm(join(to, logFile), { force: true });
  const now = openLmdbStore({ dir, limitBytes });
  const then = openLmdbStore({ dir: to, limitBytes, logId: mark.logId });
  try {
    const writer = new Writer(then, options, now.head.next);
    for await (const record of readRecords(waiting)) await writer.add(record);
    // Of a log that was made anew meanwhile nothing fits.
    if (now.logId === mark.logId) {
      let below = mark.next;
      for await (const record of readRetained(dir)) {
        if (record.position < below) continue;
        below = record.position + 1;
        await writer.add(record);
        if (writer.records % 1000 === 0) progress?.(writer.records);
      }
      // In the log alone: what came last before a power cut, or after it had stopped retaining.
      for (const chunk of inChunks((start) => now.read(Math.max(start, below)))) {
        for (const record of chunk) await writer.add(record);
        progress?.(writer.records);
      }
      await copyAside(now, then, mark.next);
    }
    return await writer.end();
  } finally {
    await then.close();
    await now.close();
  }
}

/** Writes records, some at a time. */
class Writer {
  readonly #store: LmdbStore;
  readonly #seal: RecordSeal | undefined;
  readonly #batches: { from: Position; to: Position; records: number; bytes: number }[];
  #chunk: LogRecord[] = [];
  #chunkBytes = 0;
  #head: Head;
  #unreadable = 0;

  constructor(store: LmdbStore, { mark, box }: RewindOptions, next: Position) {
    this.#store = store;
    this.#seal = mark.isSealed ? undefined : createRecordSeal({ logId: mark.logId, box });
    this.#batches = mark.batches.map((batch) => ({ ...batch, records: 0, bytes: 0 }));
    this.#head = { next: Math.max(next, mark.next), records: 0, bytes: 0 };
  }

  get records(): number {
    return this.#head.records;
  }

  async add({ position, value }: LogRecord): Promise<void> {
    const written = this.#seal?.open({ position, value }) ?? value;
    if (typeof written === 'string') {
      this.#unreadable++;
      return;
    }
    const bytes = written.length;
    this.#head = { ...this.#head, records: this.#head.records + 1, bytes: this.#head.bytes + bytes };
    const batch = this.#batches.find(({ from, to }) => position >= from && position <= to);
    if (batch) {
      batch.records++;
      batch.bytes += bytes;
    }
    this.#chunk.push({ position, value: written });
    this.#chunkBytes += bytes;
    if (this.#chunk.length >= 1000 || this.#chunkBytes > 16 * 2 ** 20) await this.#flush([]);
  }

  async end(): Promise<Rewound> {
    await this.#flush(this.#batches.filter(({ records }) => records > 0));
    return { records: this.#head.records, bytes: this.#head.bytes, unreadable: this.#unreadable };
  }

  async #flush(lease: readonly BatchRange[]): Promise<void> {
    await this.#store.write({ head: this.#head, append: this.#chunk, lease, acknowledge: [] });
    this.#chunk = [];
    this.#chunkBytes = 0;
  }
}

/** What was set aside before; what was since is among the records. */
async function copyAside(from: LmdbStore, to: LmdbStore, before: Position): Promise<void> {
  for (const chunk of inChunks((start) => from.readAside(start))) {
    const aside = chunk.filter(({ position }) => position < before);
    if (aside.length > 0) await to.setAside(aside);
  }
}

/** What would come back, without reading it. */
export interface Returning {
  /** Where it was stopped, for want of room: what came from then on comes back only as far as it still waits. */
  readonly stopped: Stop | undefined;
  /** Requests since the mark, and those of them that are gone; at most. */
  readonly since: number;
  readonly gone: number;
  /** Of what lies in the log and beside it, at most. */
  readonly bytes: number;
}

export async function returning({ dir, limitBytes }: Omit<LogPlace, 'box'>, mark: LogMark): Promise<Returning> {
  const stopped = await readStop(dir);
  const store = openLmdbStore({ dir, limitBytes });
  try {
    const { next } = store.head;
    const files = await listRecordFiles(retainedDir(dir));
    const bytes = files.reduce((sum, file) => sum + file.bytes, store.head.bytes);
    const [firstWaiting] = store.sizes(stopped?.position ?? 1);
    const gone = stopped ? (firstWaiting?.position ?? next) - stopped.position : 0;
    return { stopped, since: Math.max(0, next - mark.next), gone: Math.max(0, gone), bytes };
  } finally {
    await store.close();
  }
}
