/**
 * LMDB never gives back what its file has grown to. So a log that is largely empty is copied, without its free pages, and
 * the copy takes the place of the file. While that lasts nobody writes; what waits to be appended goes to the copy.
 *
 * The file is whole at every moment: the old one until the copy is on disk, and from its renaming on the copy, which has
 * all that was ever said to be on disk.
 */
import { open, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../../base/files.ts';
import { logFile, type LmdbStore, type LmdbStoreOptions, openLmdbStore } from './lmdb-store.ts';

const copyFile = 'log-copy.mdb';
/** What is copied keeps appends waiting: a tenth of a second where the disk is slow. */
const mostHeldBytes = 32 * 2 ** 20;
/** Of the disk that are left to others. */
const reserveBytes = 64 * 2 ** 20;

/** Bytes that copying would give back; 0 where that is not worth it, would take long, or has no room. */
export async function spareBytes(store: LmdbStore, dir: string, leastBytes: number): Promise<number> {
  const { fileBytes, heldBytes } = store.extent();
  if (fileBytes < leastBytes || heldBytes > mostHeldBytes || heldBytes > fileBytes / 4) return 0;
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize > 2 * heldBytes + reserveBytes ? fileBytes - heldBytes : 0;
}

/** Nothing may be written meanwhile. `take` is told of the store on the smaller file: from then on it is the log. */
export async function copyToSmaller(
  store: LmdbStore,
  options: LmdbStoreOptions,
  take: (copy: LmdbStore) => void,
): Promise<void> {
  const { dir } = options;
  await removeCopy(dir);
  await store.copyTo(join(dir, copyFile));
  await syncFile(join(dir, copyFile));
  const copy = openLmdbStore({ ...options, file: copyFile });
  try {
    if (copy.logId !== store.logId || JSON.stringify(copy.head) !== JSON.stringify(store.head))
      throw new Error('the copy of the log is not the same as the log');
    await rename(join(dir, copyFile), join(dir, logFile));
  } catch (error) {
    await copy.close();
    await removeCopy(dir);
    throw error;
  }
  take(copy);
  await syncDirectory(dir);
  // It holds nothing that outlives whoever has the file open.
  await rename(join(dir, `${copyFile}-lock`), join(dir, `${logFile}-lock`));
}

/** What a kill in the midst of it has left. */
export async function removeCopy(dir: string): Promise<void> {
  for (const file of [copyFile, `${copyFile}-lock`]) await rm(join(dir, file), { force: true });
}

async function syncFile(path: string): Promise<void> {
  await using file = await open(path, 'r+');
  await file.sync();
}
