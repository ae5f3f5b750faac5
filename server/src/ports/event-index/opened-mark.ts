/**
 * A file that is there while somebody may be writing. After a kill the system still has all that was written; after a power
 * cut, or where the folder was copied meanwhile, parts may be missing: then the mark is of another run of the system, or
 * of another folder.
 */
import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { ignoreMissing, syncDirectory } from '../../base/files.ts';

const name = 'opened';

export class OpenedMark {
  readonly #dir: string;
  readonly #file: string;

  /** `file`: which is written while it is there. */
  constructor(dir: string, file: string) {
    this.#dir = dir;
    this.#file = file;
  }

  async isTorn(): Promise<boolean> {
    const said = await readFile(join(this.#dir, name), 'utf8').catch(ignoreMissing);
    return said !== undefined && said !== (await whereAndWhen(this.#dir));
  }

  async set(): Promise<void> {
    await writeFile(join(this.#dir, name), await whereAndWhen(this.#dir), { mode: 0o600, flush: true });
    await syncDirectory(this.#dir);
  }

  /** What was written is on disk before the mark goes. */
  async clear(): Promise<void> {
    const file = await open(join(this.#dir, this.#file), 'r+').catch(ignoreMissing);
    await file?.datasync();
    await file?.close();
    await rm(join(this.#dir, name), { force: true });
    await syncDirectory(this.#dir);
  }
}

async function whereAndWhen(dir: string): Promise<string> {
  const { ino } = await stat(dir);
  return `${ino} ${await runOfSystem()}`;
}

/** Where the system gives it no name, the minute in which it was started. */
async function runOfSystem(): Promise<string> {
  const id = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined);
  return id?.trim() ?? String(Math.round((Date.now() - uptime() * 1000) / 60_000));
}
