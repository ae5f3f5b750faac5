/**
 * The file of the index keeps the size that it has grown to. Where much of it is free, it is copied without that, by a thread
 * of LMDB's, and the copy takes its place. Whoever reads goes on; whoever writes waits.
 */
import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database, RootDatabase } from 'lmdb';
import { indexFile } from './index-file.ts';
import { bytesOf, type Week } from './tables.ts';

const copyFile = 'index-copy.mdb';

/** A copy of more keeps what is to be stored waiting for longer than half a minute. */
const mostHeldBytes = 2 * 2 ** 30;
/** Until a copy has told: what pages take that are half full, a byte of values. */
const usualShare = 2.5;
const shareFact = 'pageShare';

export interface Spare {
  readonly dir: string;
  readonly weeks: readonly Week[];
  readonly facts: Database<unknown, string>;
  /** A smaller file is not worth it. */
  readonly leastBytes: number;
}

/** Bytes that copying would give back, about; 0 where that is not worth it, would take long, or has no room. */
export async function spareBytes(root: RootDatabase, { dir, weeks, facts, leastBytes }: Spare): Promise<number> {
  const { fileBytes, heldBytes } = extentOf(root, { weeks, facts });
  if (fileBytes < leastBytes || heldBytes > fileBytes / 2 || heldBytes > mostHeldBytes) return 0;
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize > 2 * heldBytes + leastBytes ? fileBytes - heldBytes : 0;
}

export function extentOf(root: RootDatabase, { weeks, facts }: Pick<Spare, 'weeks' | 'facts'>) {
  const fileBytes = sizeOf(root);
  return { fileBytes, heldBytes: Math.min(fileBytes, valuesOf(weeks) * Number(facts.get(shareFact) ?? usualShare)) };
}

/** What is known of a copy says how much the next would give back. */
export const noteCopied = (copy: RootDatabase, { facts, weeks }: Pick<Spare, 'facts' | 'weeks'>): Promise<boolean> =>
  facts.put(shareFact, Math.max(usualShare, sizeOf(copy) / Math.max(1, valuesOf(weeks))));

const valuesOf = (weeks: readonly Week[]): number => weeks.reduce((sum, week) => sum + bytesOf(week), 0);

function sizeOf(root: RootDatabase): number {
  const { pageSize, lastPageNumber } = root.getStats() as { pageSize: number; lastPageNumber: number };
  return (lastPageNumber + 1) * pageSize;
}

/** As it is now, in the place of the file; nobody writes. Resolves to the copy, open; whoever has the file open closes that. */
export async function putCopyInPlace(
  root: RootDatabase,
  dir: string,
  openFile: (path: string) => RootDatabase,
): Promise<RootDatabase> {
  await removeCopy(dir);
  await root.backup(join(dir, copyFile), true);
  const copy = openFile(join(dir, copyFile));
  try {
    await rename(join(dir, copyFile), join(dir, indexFile));
  } catch (error) {
    await copy.close();
    await removeCopy(dir);
    throw error;
  }
  // It holds nothing that outlives whoever has the file open.
  await rename(join(dir, `${copyFile}-lock`), join(dir, `${indexFile}-lock`)).catch(() => undefined);
  return copy;
}

/** What a kill in the midst of it has left. */
export const removeCopy = (dir: string): Promise<unknown> =>
  Promise.all([copyFile, `${copyFile}-lock`].map((name) => rm(join(dir, name), { force: true })));
