import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CodedError } from './errors.ts';

export interface DataDirLock extends AsyncDisposable {
  release(): Promise<void>;
}

/**
 * Takes a directory, made if it is not there, for this process alone until released.
 * Throws `CodedError('DATA_DIR_IN_USE')` when another process, or another part of this one, has it.
 *
 * The lock is the operating system's, taken through SQLite, so that it ends with the process however it ends:
 * a file with a process id in it would outlive a crash, and ids are used again. That file here is for the message only.
 */
export async function lockDataDir(dir: string): Promise<DataDirLock> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const ownerPath = join(dir, 'owner.pid');
  const database = new DatabaseSync(join(dir, 'owner.lock'), { timeout: 0 });
  try {
    database.exec('begin immediate');
  } catch (error) {
    database.close();
    const busy = error instanceof Error && 'errcode' in error && error.errcode === 5;
    if (!busy) throw error;
    const owner = await readFile(ownerPath, 'utf8').catch(() => '');
    throw new CodedError('DATA_DIR_IN_USE', [dir, owner.trim() || 'unknown'], { cause: error });
  }
  await writeFile(ownerPath, `${process.pid}\n`);
  const release = async (): Promise<void> => {
    if (database.isOpen) database.close();
  };
  return { release, [Symbol.asyncDispose]: release };
}
