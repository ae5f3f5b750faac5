/**
 * SQLite leaves what was deleted as free pages of its file. The file is kept so that it can give them back a few at a time
 * (`auto_vacuum = incremental`); one of an earlier version is written anew for that once, at a start.
 */
import type { DatabaseSync } from 'node:sqlite';
import { statfsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { ignoreMissing } from '../../base/files.ts';
import type { ShrinkOptions, State } from './state.ts';

const incremental = 2;
/** Writing more than that anew would keep the start waiting: some seconds. */
const mostAtStartBytes = 512 * 2 ** 20;
/** Fewer are left for what comes next. */
const leastFreePages = 1_024;
const leastFreeShare = 0.1;
/** In one transaction, which others wait for: some milliseconds. */
const pagesAtOnce = 128;
const restMs = 30;
/** The journal is made small again from that on, bytes; it is written over from its start, so most of it is of once. */
const largeJournalBytes = 8 * 2 ** 20;

const numberOf = (database: DatabaseSync, pragma: string): number =>
  Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]);

export const freeBytes = (database: DatabaseSync): number =>
  numberOf(database, 'freelist_count') * numberOf(database, 'page_size');

export const prepareNew = (database: DatabaseSync): void => {
  if (numberOf(database, 'page_count') === 0) database.exec('pragma auto_vacuum = incremental');
};

/** While nobody else has it open. Left as it is where it is large or the disk has no room for a copy. */
function writeAnew(database: DatabaseSync, path: string, mostBytes: number): void {
  const bytes = numberOf(database, 'page_count') * numberOf(database, 'page_size');
  const { bavail, bsize } = statfsSync(path);
  if (bytes < mostBytes && bavail * bsize > 3 * bytes) database.exec('pragma auto_vacuum = incremental; vacuum');
}

/** Resolves to the bytes that the file is smaller by. */
export async function giveBackPages(
  { state, database, path }: { readonly state: State; readonly database: DatabaseSync; readonly path: string },
  { isAlone = false, takesTime = false }: ShrinkOptions,
): Promise<number> {
  const free = (): number => numberOf(database, 'freelist_count');
  const pageBytes = numberOf(database, 'page_size');
  const before = numberOf(database, 'page_count');
  const isIncremental = numberOf(database, 'auto_vacuum') === incremental;
  if (!isIncremental && isAlone) writeAnew(database, path, takesTime ? Infinity : mostAtStartBytes);
  if (isIncremental && isWorth(free(), before)) {
    while (free() > pagesAtOnce) {
      const freed = await state.transaction(async () => {
        const was = free();
        database.exec(`pragma incremental_vacuum(${pagesAtOnce})`);
        return was - free();
      });
      if (freed === 0) break;
      await delay(restMs);
    }
  }
  const journal = await stat(`${path}-wal`).catch(ignoreMissing);
  const after = numberOf(database, 'page_count');
  if (after < before || (journal?.size ?? 0) > largeJournalBytes)
    await sql`pragma wal_checkpoint(truncate)`.execute(state.db);
  return (before - after) * pageBytes;
}

const isWorth = (free: number, pages: number): boolean => free > Math.max(leastFreePages, pages * leastFreeShare);
