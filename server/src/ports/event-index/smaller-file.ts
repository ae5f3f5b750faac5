/**
 * The file of the index keeps the size that it has grown to. Where much of it is free, it is copied without that, by a thread
 * of LMDB's, and the copy takes its place. Whoever reads or writes meanwhile goes on.
 */
import { rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { indexFile } from './index-file.ts';
import { IndexStore } from './index-store.ts';
import { bytesOf } from './tables.ts';

const copyFile = 'index-copy.mdb';

/** A copy of more is minutes of work for the disk, and what is written meanwhile makes the file larger first. */
const mostHeldBytes = 16 * 2 ** 30;
/** Until a copy has told: what pages take that are half full, a byte of values. */
const usualShare = 2.5;
const shareFact = 'pageShare';

export interface Spare {
  readonly dir: string;
  /** A smaller file is not worth it. */
  readonly leastBytes: number;
}

/** Bytes that copying would give back, about; 0 where that is not worth it, would take long, or has no room. */
export async function spareBytes(store: IndexStore, { dir, leastBytes }: Spare): Promise<number> {
  const { fileBytes, heldBytes } = extentOf(store);
  if (fileBytes < leastBytes || heldBytes > fileBytes / 2 || heldBytes > mostHeldBytes) return 0;
  const { bavail, bsize } = await statfs(dir);
  return bavail * bsize > 2 * heldBytes + leastBytes ? fileBytes - heldBytes : 0;
}

export function extentOf(store: IndexStore) {
  const fileBytes = sizeOf(store);
  const share = Number(store.facts.get(shareFact) ?? usualShare);
  return { fileBytes, heldBytes: Math.min(fileBytes, valuesOf(store) * share) };
}

/** What is known of a copy says how much the next would give back. */
export const noteCopied = (copy: IndexStore): Promise<boolean> =>
  copy.facts.put(shareFact, Math.max(usualShare, sizeOf(copy) / Math.max(1, valuesOf(copy))));

const valuesOf = ({ weeks }: IndexStore): number => weeks.reduce((sum, week) => sum + bytesOf(week), 0);

function sizeOf({ root }: IndexStore): number {
  const { pageSize, lastPageNumber } = root.getStats() as { pageSize: number; lastPageNumber: number };
  return (lastPageNumber + 1) * pageSize;
}

/** Beside the file, of a moment while this is under way: LMDB copies what one reading sees. */
export async function copyStore({ root }: IndexStore, dir: string): Promise<IndexStore> {
  await removeCopy(dir);
  const path = join(dir, copyFile);
  try {
    await root.backup(path, true);
    return new IndexStore(path);
  } catch (error) {
    await removeCopy(dir);
    throw error;
  }
}

/** The copy in the place of the file; whoever has that open closes it. */
export async function putInPlace(dir: string): Promise<void> {
  await rename(join(dir, copyFile), join(dir, indexFile));
  // It holds nothing that outlives whoever has the file open.
  await rename(join(dir, `${copyFile}-lock`), join(dir, `${indexFile}-lock`)).catch(() => undefined);
}

/** What a kill in the midst of it has left. */
export const removeCopy = (dir: string): Promise<unknown> =>
  Promise.all([copyFile, `${copyFile}-lock`].map((name) => rm(join(dir, name), { force: true })));
