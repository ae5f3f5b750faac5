/**
 * Records that the log got since a restore point, kept beside it so that a downgrade gives them to the earlier version.
 *
 * They are written as they are appended, and are on disk before the log forgets them: what is acknowledged is here, what is
 * not is in the log. At its limit, or when the disk fails, it stops and says since when. It never keeps an event from
 * being accepted.
 */
import { mkdir, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing, syncDirectory, writeDurable } from '../../base/files.ts';
import type { LogRecord, Position } from './log.ts';
import { listRecordFiles, readRecords, recordFileName, sizeInFile, writeRecords } from './record-files.ts';

export interface RetainedStats {
  readonly bytes: number;
  /** Where it stopped, for want of room. */
  readonly stopped: Stop | undefined;
}

export interface RetainOptions {
  /** Of the restore point: what came before it is not kept. */
  readonly from: Position;
  readonly maxBytes: number;
}

export interface Stop {
  /** Of the first record that is not here. */
  readonly position: Position;
  /** ms since the epoch */
  readonly at: number;
}

/** Files go one by one as restore points do. */
const fileBytes = 64 * 2 ** 20;
const stopFile = 'stopped.json';

export const retainedDir = (logDir: string): string => join(logDir, 'retained');

export class RetainedRecords {
  readonly #dir: string;
  readonly #maxBytes: number;
  #bytes = 0;
  #stopped: Stop | undefined;
  #isOff = false;
  #file: FileHandle | undefined;
  #fileBytes = 0;
  /** Everything below is written; below `#syncedBelow` it is on disk. */
  #writtenBelow: Position = 0;
  #syncedBelow: Position = 0;
  #syncing: Promise<void> | undefined;
  #writing: Promise<void> = Promise.resolve();

  private constructor(dir: string, maxBytes: number) {
    this.#dir = dir;
    this.#maxBytes = maxBytes;
  }

  static async open(logDir: string, { maxBytes }: RetainOptions): Promise<RetainedRecords> {
    const retained = new RetainedRecords(retainedDir(logDir), maxBytes);
    await mkdir(retained.#dir, { recursive: true, mode: 0o700 });
    await syncDirectory(logDir);
    const files = await listRecordFiles(retained.#dir);
    for (const { bytes } of files) retained.#bytes += bytes;
    retained.#stopped = await readStop(logDir);
    const last = files.at(-1);
    for await (const { position } of last ? readRecords(last.path) : []) retained.#writtenBelow = position + 1;
    retained.#syncedBelow = retained.#writtenBelow;
    return retained;
  }

  /** The log has what is not here from this position on: a power cut may have left a part of it. */
  get endsBefore(): Position {
    return this.#writtenBelow;
  }

  /** Never rejects. The values may be used again when it resolves. */
  append(records: readonly LogRecord[]): Promise<void> {
    if (records.length === 0 || this.#stopped || this.#isOff) return Promise.resolve();
    return (this.#writing = this.#writing.then(() => this.#append(records)));
  }

  async #append(records: readonly LogRecord[]): Promise<void> {
    const [first] = records;
    if (!first || this.#stopped || this.#isOff) return;
    const size = records.reduce((sum, record) => sum + sizeInFile(record), 0);
    if (this.#bytes + size > this.#maxBytes) return this.#stop(first.position);
    try {
      this.#file ??= await this.#openFile(first.position);
      await writeRecords(this.#file, records);
      this.#bytes += size;
      this.#fileBytes += size;
      this.#writtenBelow = (records.at(-1) ?? first).position + 1;
      if (this.#fileBytes < fileBytes) return;
      await this.sync();
      await this.#closeFile();
    } catch {
      await this.#stop(first.position);
    }
  }

  async #openFile(from: Position): Promise<FileHandle> {
    this.#fileBytes = 0;
    const file = await open(join(this.#dir, recordFileName(from)), 'wx', 0o600);
    await syncDirectory(this.#dir);
    return file;
  }

  async #closeFile(): Promise<void> {
    await this.#file?.close();
    this.#file = undefined;
  }

  /** Resolves when what was appended below the position is on disk, or it has stopped before that. */
  async sync(below: Position = this.#writtenBelow): Promise<void> {
    while (this.#syncedBelow < Math.min(below, this.#writtenBelow) && this.#file && !this.#stopped) {
      this.#syncing ??= this.#sync(this.#file, this.#writtenBelow);
      await this.#syncing;
    }
  }

  async #sync(file: FileHandle, below: Position): Promise<void> {
    try {
      await file.datasync();
      this.#syncedBelow = below;
    } catch {
      await this.#stop(this.#syncedBelow);
    } finally {
      this.#syncing = undefined;
    }
  }

  async #stop(position: Position): Promise<void> {
    this.#stopped = { position, at: Date.now() };
    await this.#file?.datasync().catch(() => {});
    await this.#closeFile().catch(() => {});
    const path = join(this.#dir, stopFile);
    await writeDurable(path, JSON.stringify(this.#stopped)).catch(() => {});
  }

  /** Files of which every record lies before the position; without one everything, and nothing is written any more. */
  forget(before?: Position): Promise<void> {
    return (this.#writing = this.#writing.then(() => this.#forget(before)));
  }

  async #forget(before: Position | undefined): Promise<void> {
    if (before === undefined) {
      this.#isOff = true;
      await this.#syncing;
      await this.#closeFile();
      await rm(this.#dir, { recursive: true, force: true });
      this.#bytes = 0;
      this.#stopped = undefined;
      return;
    }
    const files = await listRecordFiles(this.#dir);
    for (const [index, { path, bytes }] of files.entries()) {
      const next = files[index + 1];
      if (!next || next.from > before) break;
      await rm(path, { force: true });
      this.#bytes -= bytes;
    }
  }

  stats(): RetainedStats {
    return { bytes: this.#bytes, stopped: this.#stopped };
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#syncing;
    await this.#closeFile();
  }
}

export async function readStop(logDir: string): Promise<Stop | undefined> {
  const said = await readFile(join(retainedDir(logDir), stopFile), 'utf8').catch(ignoreMissing);
  return said === undefined ? undefined : (JSON.parse(said) as Stop);
}

/** All that is there, in order. */
export async function* readRetained(logDir: string): AsyncGenerator<LogRecord> {
  for (const { path } of await listRecordFiles(retainedDir(logDir))) yield* readRecords(path);
}
