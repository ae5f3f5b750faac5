/** Writes payloads: keeps those of a batch as bytes, compresses them in chunks, kin beside kin, and appends those. */
import type { FileHandle } from 'node:fs/promises';
import { threadId } from 'node:worker_threads';
import { slabBytes, Slabs } from '../../base/slabs.ts';
import { type ChunkEntry, decodeChunk, encodeChunk } from './chunk.ts';
import { toldToLeave } from './leave.ts';
import type { PayloadBatch, PayloadWriter, Place } from './payloads.ts';
import {
  begunAt,
  createFile,
  type Entry,
  entryBytes,
  fileOf,
  markClosed,
  newSegment,
  writeEntry,
} from './segment-files.ts';

export interface WriterOptions {
  readonly dir: string;
  /** Bytes of chunks after which a segment is left, and ms since it was begun: so soon it is packed. */
  readonly segmentBytes?: number;
  readonly segmentMs?: number;
}

const defaultSegmentBytes = 64 * 1024 * 1024;
/** With the quiet before it is packed, what is erased is gone within the hour. */
const defaultSegmentMs = 30 * 60_000;
/** What is read to get at one of them: more in a chunk lie smaller and are slower to read. */
const chunkPayloads = 32;
const chunkRawBytes = 1024 * 1024;
const sameMs = 1_000;
/** How soon a segment is left once that is told. */
const lookMs = 1_000;

/** Where payloads of a batch go. */
export interface BatchTarget {
  readonly number: number;
  /** The next free ordinal. */
  ordinals: number;
  /** That may be written still. */
  readonly batches: Set<object>;
}

class Segment implements BatchTarget {
  readonly number: number;
  /** The next free ordinal. */
  ordinals = 0;
  /** Bytes of its chunks. */
  end = 0;
  /** Its files could not be made: what is sent to it is sent again, to another. */
  isLost = false;
  /** That may be written still. */
  readonly batches = new Set<object>();
  readonly #dir: string;
  #files: Promise<SegmentFiles> | undefined;

  constructor(dir: string, begunAt: number) {
    this.#dir = dir;
    this.number = newSegment(threadId, begunAt);
  }

  async append(encoded: readonly EncodedChunk[], isWanted: (payload: Numbered) => boolean): Promise<void> {
    const { chunks, index } = await (this.#files ??= this.#create());
    const entries: Placed[] = [];
    let end = this.end;
    for (const { bytes, payloads } of encoded) {
      for (const [number, payload] of payloads.entries()) {
        if (isWanted(payload)) entries.push({ ordinal: payload.ordinal, entry: { offset: end, number } });
      }
      end += bytes.length;
    }
    const bytes = Buffer.concat(encoded.map((chunk) => chunk.bytes));
    await writeAll(chunks, bytes, this.end);
    // A batch that failed here is appended after what there is of it.
    this.end = end;
    for (const run of stretchesOf(entries.sort((a, b) => a.ordinal - b.ordinal)))
      await writeAll(index, encodeEntries(run), (run[0]?.ordinal ?? 0) * entryBytes);
    await Promise.all([chunks.datasync(), index.datasync()]);
  }

  /** Nothing more comes: says so to whoever packs it. */
  async close(): Promise<void> {
    const files = await this.#files;
    if (!files) return;
    await Promise.all([files.chunks.close(), files.index.close()]);
    await markClosed(this.#dir, this.number);
  }

  async #create(): Promise<SegmentFiles> {
    try {
      const chunks = await createFile(fileOf(this.#dir, this.number, 'chunks'));
      return { chunks, index: await createFile(fileOf(this.#dir, this.number, 'index')) };
    } catch (error) {
      this.#files = undefined;
      this.isLost = true;
      throw error;
    }
  }
}

interface SegmentFiles {
  readonly chunks: FileHandle;
  readonly index: FileHandle;
}

/** By its place in its segment, and in its batch. */
export interface Numbered {
  readonly ordinal: number;
  readonly index: number;
}

interface Kept extends ChunkEntry, Numbered {
  readonly bytes: Buffer;
  readonly beside: Buffer;
}

export interface EncodedChunk {
  readonly bytes: Buffer;
  readonly payloads: readonly Numbered[];
}

interface Placed {
  readonly ordinal: number;
  readonly entry: Entry;
}

const nothing = Buffer.alloc(0);

/** What waits to be compressed: more of it finds more kin, and takes its bytes of memory. */
const keptBytes = 16 * 1024 * 1024;

export class Batch<T extends BatchTarget = BatchTarget> implements PayloadBatch {
  #kept: Kept[] = [];
  #keptBytes = 0;
  #count = 0;
  readonly #chunks: EncodedChunk[] = [];
  readonly #choose: () => T;
  readonly #onDone: () => void;
  #segment: T | undefined;
  readonly #slabs = new Slabs();

  /** `choose` gives the segment that is written to when the first comes; `onDone`: nobody has the batch any more. */
  constructor(choose: () => T, onDone: () => void) {
    this.#choose = choose;
    this.#onDone = onDone;
  }

  get segment(): T | undefined {
    return this.#segment;
  }

  add(payload: string | readonly (string | Uint8Array)[], kin: string, beside = ''): Place {
    const pieces = typeof payload === 'string' ? [payload] : payload;
    const segment = (this.#segment ??= this.#choose());
    segment.batches.add(this);
    const most = mostBytes(pieces);
    const room = this.#slabs.take(most > slabBytes ? exactBytes(pieces) : most);
    let end = 0;
    for (const piece of pieces) {
      if (typeof piece === 'string') {
        end += room.write(piece, end);
      } else {
        room.set(piece, end);
        end += piece.length;
      }
    }
    const ordinal = segment.ordinals++;
    this.#kept.push({
      ordinal,
      index: this.#count++,
      kin: kinNumber(kin),
      bytes: this.#slabs.shorten(room, end),
      beside: this.#copy(beside),
    });
    this.#keptBytes += end + beside.length;
    if (this.#keptBytes > keptBytes) this.#encode(this.#kept);
    return { segment: segment.number, ordinal };
  }

  #copy(text: string): Buffer {
    if (text === '') return nothing;
    const room = this.#slabs.take(text.length * 3);
    return this.#slabs.shorten(room, room.write(text));
  }

  textOf(index: number): string | undefined {
    const kept = this.#kept.find((each) => each.index === index);
    if (kept) return kept.bytes.toString('utf8');
    for (const { bytes, payloads } of this.#chunks) {
      const number = payloads.findIndex((each) => each.index === index);
      if (number >= 0) return Buffer.from(decodeChunk(bytes)[number]?.bytes ?? []).toString('utf8');
    }
    return undefined;
  }

  /** Its chunks, without what nobody wants as far as it was not compressed yet. */
  encoded(isWanted: (index: number) => boolean): readonly EncodedChunk[] {
    this.#encode(this.#kept.filter(({ index }) => isWanted(index)));
    return this.#chunks;
  }

  #encode(kept: readonly Kept[]): void {
    for (const group of groupsOf(kept)) {
      const payloads = group.map(({ ordinal, index }) => ({ ordinal, index }));
      this.#chunks.push({ bytes: encodeChunk(group, 'fast'), payloads });
    }
    this.#kept = [];
    this.#keptBytes = 0;
    this.#slabs.giveBack();
  }

  [Symbol.dispose](): void {
    this.#segment?.batches.delete(this);
    this.#slabs.giveBack();
    this.#kept = [];
    this.#chunks.length = 0;
    this.#onDone();
  }
}

function encodeEntries(stretch: readonly Placed[]): Buffer {
  const bytes = Buffer.alloc(stretch.length * entryBytes);
  for (const [index, { entry }] of stretch.entries()) writeEntry(bytes, index * entryBytes, entry);
  return bytes;
}

/** Ordinals that follow each other. */
function* stretchesOf(placed: readonly Placed[]): Generator<readonly Placed[]> {
  let start = 0;
  for (const [index, { ordinal }] of placed.entries()) {
    if (placed[index + 1]?.ordinal === ordinal + 1) continue;
    yield placed.slice(start, index + 1);
    start = index + 1;
  }
}

/** Of each chunk. */
function* groupsOf(kept: readonly Kept[]): Generator<readonly Kept[]> {
  let group: Kept[] = [];
  let bytes = 0;
  for (const each of kept.toSorted((a, b) => a.kin - b.kin || a.ordinal - b.ordinal)) {
    const length = each.bytes.length + each.beside.length;
    if (group.length === chunkPayloads || (group.length > 0 && bytes + length > chunkRawBytes)) {
      yield group;
      group = [];
      bytes = 0;
    }
    group.push(each);
    bytes += length;
  }
  if (group.length > 0) yield group;
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
}

/** A UTF-16 unit is three bytes at most. */
const mostBytes = (pieces: readonly (string | Uint8Array)[]): number =>
  pieces.reduce((sum, piece) => sum + piece.length * (typeof piece === 'string' ? 3 : 1), 0);

const exactBytes = (pieces: readonly (string | Uint8Array)[]): number =>
  pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length), 0);

/** FNV-1a. */
function kinNumber(kin: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < kin.length; index++) hash = Math.imul(hash ^ kin.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** `clock`: when a segment that is begun now says that it was, ms since the epoch. */
export function createWriter(options: WriterOptions, clock: () => number): PayloadWriter {
  return new FileWriter(options, clock);
}

class FileWriter implements PayloadWriter {
  readonly #options: Required<WriterOptions>;
  readonly #clock: () => number;
  #current: Segment | undefined;
  #lastAt = 0;
  readonly #left = new Set<Segment>();
  /** Appends follow one another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    { dir, segmentBytes = defaultSegmentBytes, segmentMs = defaultSegmentMs }: WriterOptions,
    clock: () => number,
  ) {
    this.#options = { dir, segmentBytes, segmentMs };
    this.#clock = clock;
  }

  batch(): PayloadBatch {
    return new Batch(
      () => this.#segment(),
      () => {
        if (this.#left.size > 0) void this.#inTurn(() => this.#closeLeft()).catch(() => undefined);
      },
    );
  }

  async write(batch: PayloadBatch, isWanted: (index: number) => boolean = () => true): Promise<void> {
    if (!(batch instanceof Batch)) throw new TypeError('the batch is of another writer');
    const segment: unknown = batch.segment;
    const encoded = batch.encoded(isWanted);
    if (segment instanceof Segment && encoded.length > 0)
      await this.#inTurn(() => segment.append(encoded, ({ index }) => isWanted(index)));
  }

  #segment(): Segment {
    const { dir, segmentBytes, segmentMs } = this.#options;
    const current = this.#current;
    // One of the future is of a clock that was put back.
    const isPast = current !== undefined && begunAt(current.number) <= Date.now() + sameMs;
    if (current && isPast && !current.isLost && current.end < segmentBytes) return current;
    if (current) this.#left.add(current);
    const at = this.#clock();
    // Those that are begun in the same moment have numbers of their own.
    this.#lastAt = at > this.#lastAt || at < this.#lastAt - sameMs ? at : this.#lastAt + 1;
    const segment = new Segment(dir, this.#lastAt);
    this.#current = segment;
    setTimeout(() => void this.#leave(segment).catch(() => undefined), segmentMs).unref();
    this.#look(segment, Date.now());
    return segment;
  }

  /** Whether it is to be left, again and again until it is. `since`: when it was begun, by the clock. */
  #look(segment: Segment, since: number): void {
    setTimeout(async () => {
      if (this.#current !== segment) return;
      const isTold = (await toldToLeave(this.#options.dir).catch(() => 0)) >= since;
      if (isTold) await this.#leave(segment).catch(() => undefined);
      else this.#look(segment, since);
    }, lookMs).unref();
  }

  /** Also where nothing more comes: what lies in it is to be packed. */
  async #leave(segment: Segment): Promise<void> {
    if (this.#current !== segment) return;
    this.#current = undefined;
    this.#left.add(segment);
    await this.#inTurn(() => this.#closeLeft());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#current) await this.#leave(this.#current);
    await this.#last;
  }

  async #closeLeft(): Promise<void> {
    for (const segment of this.#left) {
      if (segment.batches.size > 0) continue;
      this.#left.delete(segment);
      await segment.close();
    }
  }

  async #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    await turn;
  }
}
