/**
 * The log on one machine, in LMDB.
 *
 * One writer: appends, leases and acknowledgements wait in `waiting`; a loop takes what waits, writes it as one
 * transaction and settles all of it together. So one fdatasync serves every request that came while the one before
 * it was under way. When the transaction fails, the appends in it are refused and the rest is tried once more
 * without them: a full disk must not keep the log from being drained. `lmdb-operations.ts` has what waits, and
 * `lmdb-batches.ts` which batches there are.
 */
import { rm } from 'node:fs/promises';
import { lockDataDir } from '../../base/data-dir.ts';
import { CodedError } from '../../base/errors.ts';
import { type BoxSetup, sealedLength } from '../../base/secrets/index.ts';
import { Slabs } from '../../base/slabs.ts';
import { logOfRequests } from '../../base/texts/stores.ts';
import type { Batch, EmbeddedLog, HeldLog, LeaseLimits, LogRecord, Position } from './log.ts';
import { inChunks, openLmdbStore } from './lmdb-store.ts';
import { KnownBatches } from './lmdb-batches.ts';
import { changeOf, type Operation, type OperationWork, settle, takeGroup } from './lmdb-operations.ts';
import type { Acknowledged, BatchRange, Head, LmdbStore } from './lmdb-store.ts';
import { type RetainOptions, RetainedRecords, retainedDir } from './retained.ts';
import { sealEarlier } from './seal-earlier.ts';
import { createRecordSeal, type ReaderSetup, type RecordSeal } from './seal.ts';
import { isOutOfSpace, watchRoom } from './room.ts';
import { copyToSmaller, removeCopy, spareBytes } from './smaller-file.ts';
import { plural } from '../../base/texts/intl.ts';

export interface LmdbLogOptions {
  readonly dir: string;
  readonly limitBytes: number;
  /** What records are sealed with. */
  readonly box: BoxSetup;
  /** Told what an operator should know, in a sentence. */
  readonly warn?: (sentence: string) => void;
  /** Keeps records beside the log after they are acknowledged, up to so many bytes. What was kept before goes otherwise. */
  readonly retain?: RetainOptions | undefined;
  /** Bytes of the disk that appends leave free; 128 MiB unless told. */
  readonly reserveBytes?: number;
  /** A smaller file is not worth making smaller, bytes; 64 MiB unless told. */
  readonly shrinkFromBytes?: number;
}

const retryAfterSeconds = 10;
/** What does not open waits so long for its key. */
const asideMs = 30 * 86_400_000;

/** Throws `CodedError('DATA_DIR_IN_USE')` while another process has the log in this directory open. */
export async function openLmdbLog(options: LmdbLogOptions): Promise<EmbeddedLog> {
  const lock = await lockDataDir(options.dir);
  try {
    await removeCopy(options.dir);
    await sealEarlier(options);
    const { dir, retain } = options;
    const retained = retain && (await RetainedRecords.open(dir, retain));
    if (!retained) await rm(retainedDir(dir), { recursive: true, force: true });
    const log = new LmdbLog(options, lock.release, retained);
    await log.start();
    return log;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

class LmdbLog implements EmbeddedLog {
  readonly embedded = this;
  readonly #options: LmdbLogOptions;
  readonly #unlock: () => Promise<void>;
  readonly #retained: RetainedRecords | undefined;
  #store;
  readonly reader: ReaderSetup;
  readonly #seal: RecordSeal;
  /** Memory of the transaction that is being written. */
  #slabs = new Slabs();
  #unreadable = 0;
  #room = { enough: () => true };
  /** As on disk. */
  #head: Head;
  /** The position that the next call of append gets; ahead of `#head.next` by what waits. */
  #next: Position;
  readonly #batches: KnownBatches;
  #waiting: Operation[] = [];
  #waitingBytes = 0;
  #writing: Promise<void> | undefined;
  #shrinking: PromiseWithResolvers<number> | undefined;
  /** Of the store before the last one. */
  #left: Promise<void> | undefined;
  #lastLease: Promise<unknown> = Promise.resolve();
  #copying: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(options: LmdbLogOptions, unlock: () => Promise<void>, retained: RetainedRecords | undefined) {
    this.#options = options;
    this.#unlock = unlock;
    this.#retained = retained;
    this.#store = openLmdbStore(options);
    this.reader = { logId: this.#store.logId, box: options.box };
    this.#seal = createRecordSeal(this.reader);
    this.#head = this.#store.head;
    this.#next = this.#head.next;
    this.#batches = new KnownBatches(this.#store.batches);
  }

  async start(): Promise<void> {
    this.#room = await watchRoom({
      dir: this.#options.dir,
      reserveBytes: this.#options.reserveBytes ?? 128 * 2 ** 20,
      usedBytes: () => this.#head.bytes,
      fileBytes: () => this.#store.extent().fileBytes,
    });
    await this.#retainWaiting();
    await this.#takeBack().catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      this.#options.warn?.(`could not process requests that were stored for later: ${why}. The next start tries again`);
    });
  }

  /** What a power cut took from what is retained still waits in the log. */
  async #retainWaiting(): Promise<void> {
    const { retain } = this.#options;
    if (!retain || !this.#retained) return;
    const from = Math.max(retain.from, this.#retained.endsBefore);
    for (const chunk of inChunks((start) => this.#store.read(Math.max(start, from)))) {
      await this.#retained.append(chunk);
    }
  }

  /** What was set aside and opens by now is appended again. */
  async #takeBack(): Promise<void> {
    let back = 0;
    for (const chunk of inChunks((start) => this.#store.readAside(start))) {
      const work: OperationWork[] = chunk.flatMap((record) => {
        const from = record.position;
        const value = this.#seal.open(record);
        if (typeof value === 'string') return record.since < Date.now() - asideMs ? { kind: 'forget', from } : [];
        const position = this.#next++;
        return { kind: 'restore', position, parts: [value], bytes: sealedLength([value]), from };
      });
      await Promise.all(work.map((each) => this.#enqueue(each)));
      back += work.filter(({ kind }) => kind === 'restore').length;
    }
    this.#unreadable = this.#store.countAside();
    if (back > 0) this.#options.warn?.(logOfRequests.openedAgain(plural(back, 'request')));
    if (this.#unreadable > 0) this.#options.warn?.(asideSentence(this.#unreadable));
  }

  append(...parts: readonly Uint8Array[]): Promise<Position> {
    // Called for every event: it is one promise, and not one for each function on the way.
    return new Promise((resolve, reject) => {
      this.#refuseIfClosed();
      const bytes = sealedLength(parts);
      const wouldWait = this.#head.bytes + this.#waitingBytes + bytes;
      if (wouldWait > this.#options.limitBytes) throw logFull();
      if (!this.#room.enough()) {
        // What is to come goes before what has been.
        void this.#retained?.forget().catch(() => {});
        throw logFull();
      }
      const position = this.#next++;
      this.#waitingBytes += bytes;
      this.#wait({
        kind: 'append',
        position,
        parts,
        bytes,
        resolve: () => {
          this.#waitingBytes -= bytes;
          resolve(position);
        },
        reject: (error) => {
          this.#waitingBytes -= bytes;
          reject(error);
        },
      });
    });
  }

  async hold(): Promise<HeldLog> {
    const { promise: over, resolve: release } = Promise.withResolvers<void>();
    // Whoever leases next waits behind it.
    const before = this.#lastLease;
    this.#lastLease = before.then(() => over);
    await before;
    return {
      copyTo: async (path) => {
        this.#refuseIfClosed();
        const { next, records, bytes } = this.#head;
        const store = this.#store;
        const done = store.copyTo(path);
        this.#copying = done.catch(() => undefined);
        await store.copyBegun(path, done);
        return { copy: { logId: store.logId, next, records, bytes }, done };
      },
      [Symbol.dispose]: release,
    };
  }

  lease(limits: LeaseLimits): Promise<Batch | undefined> {
    // One at a time: were a later range recorded and an earlier one not, a crash would leave the earlier one behind.
    const lease = this.#lastLease.then(() => this.#lease(limits));
    this.#lastLease = lease.catch(() => {});
    return lease;
  }

  async #lease(limits: LeaseLimits): Promise<Batch | undefined> {
    this.#refuseIfClosed();
    const due = this.#batches.firstDue();
    if (due) {
      const records = this.read(due.range, due.range.from, limits.pieceBytes);
      due.state = 'leased';
      return this.#batch(due.range, records, true);
    }
    const range = this.#batches.nextRange(this.#store, limits);
    if (!range) return undefined;
    const records = this.read(range, range.from, limits.pieceBytes);
    await this.#enqueue({ kind: 'lease', range });
    this.#batches.addLeased(range);
    return this.#batch(range, records, false);
  }

  read({ to }: Pick<Batch, 'from' | 'to'>, start: Position, pieceBytes = Infinity): LogRecord[] {
    this.#refuseIfClosed();
    const records: LogRecord[] = [];
    let bytes = 0;
    for (const record of this.#store.read(start, to)) {
      records.push(record);
      bytes += record.value.length;
      if (bytes >= pieceBytes) break;
    }
    return records;
  }

  acknowledge(batch: Pick<Batch, 'from' | 'to'>, unreadable: readonly Position[] = []): Promise<void> {
    return this.#batches.acknowledge(
      batch,
      (range) => this.#forget({ ...range, unreadable }),
      () => this.#noteAside(unreadable.length),
    );
  }

  async #forget(range: Acknowledged): Promise<void> {
    await this.#retained?.sync(range.to + 1);
    await this.#enqueue({ kind: 'acknowledge', range });
  }

  #noteAside(unreadable: number): void {
    if (unreadable === 0) return;
    this.#unreadable += unreadable;
    this.#options.warn?.(asideSentence(this.#unreadable));
  }

  release(batch: Pick<Batch, 'from' | 'to'>): void {
    this.#batches.release(batch);
  }

  end(): Position {
    return this.#head.next;
  }

  isDoneBefore(position: Position): boolean {
    this.#refuseIfClosed();
    return this.#batches.isDoneBefore(this.#store, position);
  }

  async shrink(): Promise<number> {
    this.#refuseIfClosed();
    if ((await this.#worthBytes()) === 0) return 0;
    this.#refuseIfClosed();
    this.#shrinking ??= Promise.withResolvers();
    this.#writing ??= this.#writeWaiting();
    return this.#shrinking.promise;
  }

  spareBytes(): number {
    const { fileBytes, heldBytes } = this.#store.extent();
    return fileBytes - heldBytes;
  }

  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stats() {
    return {
      records: this.#head.records,
      bytes: this.#head.bytes,
      limitBytes: this.#options.limitBytes,
      unreadable: this.#unreadable,
      ...(this.#retained && { retained: this.#retained.stats() }),
    };
  }

  async forgetRetained(before?: Position): Promise<void> {
    await this.#retained?.forget(before);
  }

  close(): Promise<void> {
    this.#closing ??= (async () => {
      await this.#writing;
      await this.#left;
      await this.#closeStore(this.#store);
      await this.#retained?.close();
      await this.#unlock();
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #refuseIfClosed(): void {
    if (this.#closing) throw new Error('the log is closed');
  }

  #batch({ from, to, records: size }: BatchRange, records: readonly LogRecord[], redelivered: boolean): Batch {
    return { token: `${this.#store.logId}:${from}-${to}`, from, to, size, records, redelivered };
  }

  async #enqueue(work: OperationWork): Promise<void> {
    this.#refuseIfClosed();
    return new Promise((resolve, reject) => this.#wait({ ...work, resolve, reject }));
  }

  #wait(operation: Operation): void {
    this.#waiting.push(operation);
    this.#writing ??= this.#writeWaiting();
  }

  async #writeWaiting(): Promise<void> {
    // What is called in the same turn shares the first transaction, too.
    await Promise.resolve();
    while (this.#waiting.length > 0 || this.#shrinking) {
      if (this.#shrinking) await this.#shrink(this.#shrinking);
      const group = takeGroup(this.#waiting);
      if (group.length === 0) continue;
      try {
        await this.#write(group);
      } catch (error) {
        await this.#afterFailure(group, error);
      }
    }
    this.#writing = undefined;
  }

  /** Between two transactions. Where it fails the file stays as it is. */
  async #shrink({ resolve, reject }: PromiseWithResolvers<number>): Promise<void> {
    const before = this.#store;
    try {
      const spare = await this.#worthBytes();
      if (spare > 0) await copyToSmaller(before, this.#options, (copy) => (this.#store = copy));
      resolve(spare);
    } catch (error) {
      reject(error);
    } finally {
      this.#shrinking = undefined;
      // What is to be written does not wait for whoever still copies it.
      if (this.#store !== before) this.#left = this.#closeStore(before).catch(() => undefined);
    }
  }

  /** Not while it is copied: LMDB reads the file for that. */
  async #closeStore(store: LmdbStore): Promise<void> {
    await this.#copying;
    await store.close();
  }

  #worthBytes(): Promise<number> {
    return spareBytes(this.#store, this.#options.dir, this.#options.shrinkFromBytes ?? 64 * 2 ** 20);
  }

  async #write(group: readonly Operation[]): Promise<void> {
    const take = (length: number): Uint8Array => this.#slabs.take(length);
    const change = changeOf(group, this.#head, { seal: this.#seal, take });
    await Promise.all([this.#store.write(change), this.#retained?.append(change.append)]);
    this.#slabs.giveBack();
    this.#head = change.head;
    settle(group);
    if (change.append.length > 0) this.#tellListeners();
  }

  #tellListeners(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }

  async #afterFailure(group: readonly Operation[], error: unknown): Promise<void> {
    const appends = group.filter((operation) => 'parts' in operation);
    let others = group.filter((operation) => !('parts' in operation));
    try {
      await this.#closeStore(this.#store);
      this.#slabs = new Slabs();
      this.#store = openLmdbStore(this.#options);
    } catch (reason) {
      // The store stays closed; the next write fails at once, and opening is tried again.
      for (const { reject } of group) reject(reason);
      return;
    }
    // What was said to have failed may be on disk nevertheless. Positions that were given out stay used.
    this.#head = { ...this.#store.head, next: Math.max(this.#store.head.next, this.#head.next) };
    const onDisk = new Set(this.#store.batches.map(({ from }) => from));
    const isGone = (operation: Operation): boolean =>
      operation.kind === 'acknowledge' && !onDisk.has(operation.range.from);
    settle(others.filter(isGone));
    others = others.filter((operation) => !isGone(operation));

    const refusal = (await isOutOfSpace(this.#options.dir, error).catch(() => false)) ? logFull(error) : error;
    for (const { reject } of appends) reject(refusal);
    if (appends.length > 0) this.#waiting.unshift(...others);
    else for (const { reject } of others) reject(error);
  }
}

const asideSentence = (count: number): string => logOfRequests.sealedOtherwise(plural(count, 'request'));

const logFull = (cause?: unknown): CodedError =>
  new CodedError('LOG_FULL', [], { retryAfter: retryAfterSeconds, cause });
