import { existsSync } from 'node:fs';
import { access, chmod, constants, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CodedError } from './errors.ts';
import { restore } from './texts/backups.ts';
import { dataDirectory as texts } from './texts/stores.ts';

export interface DataDirLock extends AsyncDisposable {
  release(): Promise<void>;
}

/** Where a restore puts files before each goes where it belongs: while it is there, the directory is nobody's. */
export const restoringFolder = 'restoring';

/** Where the backup lies of which one project is being restored; of nobody's use once that has ended, however it did. */
export const restoringProjectFolder = 'restoring-project';

/**
 * Takes a directory, made if it is not there, for this process alone until released.
 * Throws `CodedError('DATA_DIR_IN_USE')` when another process, or another part of this one, has it, and
 * `CodedError('DATA_DIR_UNUSABLE')` when it cannot be written, and `CodedError('RESTORE_UNFINISHED')`.
 *
 * The lock is the operating system's, taken through SQLite, so that it ends with the process however it ends:
 * a file with a process id in it would outlive a crash, and ids are used again. That file here is for the message only.
 */
export async function lockDataDir(dir: string, { isRestore = false } = {}): Promise<DataDirLock> {
  if (!isRestore && existsSync(join(dir, restoringFolder))) {
    throw new CodedError('RESTORE_UNFINISHED', [dir, restore.unfinished]);
  }
  const ownerPath = join(dir, 'owner.pid');
  let database: DatabaseSync | undefined;
  try {
    await makeDataDir(dir);
    database = new DatabaseSync(join(dir, 'owner.lock'), { timeout: 0 });
    database.exec('begin immediate');
    await writeFile(ownerPath, `${process.pid}\n`);
  } catch (error) {
    if (database?.isOpen) database.close();
    const busy = error instanceof Error && 'errcode' in error && error.errcode === 5;
    if (!busy) throw unusable(dir, error);
    const owner = await readFile(ownerPath, 'utf8').catch(() => '');
    throw new CodedError('DATA_DIR_IN_USE', [dir, owner.trim() || texts.unknownOwner], { cause: error });
  }
  const lock = database;
  const release = async (): Promise<void> => {
    if (lock.isOpen) lock.close();
  };
  return { release, [Symbol.asyncDispose]: release };
}

/** Makes it if it is not there, for its owner alone. Throws `CodedError('DATA_DIR_UNUSABLE')`. */
export async function makeDataDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await access(dir, constants.W_OK);
  } catch (error) {
    throw unusable(dir, error);
  }
}

/**
 * Takes from others what they could read: of the directory, of the folder of the log, and of the files that lie in both.
 * Deeper ones cannot be reached without. Resolves to what was changed and what could not be, in sentences.
 */
export async function tightenDataDir(dir: string): Promise<string[]> {
  const said: string[] = [];
  for (const folder of [dir, join(dir, 'log')]) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
    for (const path of [folder, ...files]) {
      const mode = (await stat(path).catch(() => undefined))?.mode ?? 0;
      if ((mode & 0o077) === 0) continue;
      const was = (mode & 0o777).toString(8);
      try {
        await chmod(path, mode & 0o700);
        said.push(texts.tightened(path, was));
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        said.push(texts.open(path, was, why));
      }
    }
  }
  return said;
}

function unusable(dir: string, error: unknown): unknown {
  if (error instanceof CodedError) return error;
  return new CodedError('DATA_DIR_UNUSABLE', [dir, error instanceof Error ? error.message : String(error)], {
    cause: error,
  });
}
