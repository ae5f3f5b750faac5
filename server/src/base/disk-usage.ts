/** How much of the disk the data directory takes and what is left. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

export interface DiskUsage {
  readonly usedBytes: number;
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Adding up a large directory takes a while, so it is done once a minute at most; meanwhile the last sum is given. */
const freshMs = 60_000;

export function createDiskUsage(directory: string): () => Promise<DiskUsage | undefined> {
  let used = 0;
  let addedAt = -Infinity;
  let adding: Promise<void> | undefined;
  const add = async (): Promise<void> => {
    used = await sizeOfFolder(directory);
    addedAt = performance.now();
    adding = undefined;
  };
  return async () => {
    const first = addedAt === -Infinity;
    if (performance.now() - addedAt > freshMs) adding ??= add();
    if (first) await adding;
    try {
      const { bavail, blocks, bsize } = await statfs(directory);
      return { usedBytes: used, freeBytes: bavail * bsize, totalBytes: blocks * bsize };
    } catch {
      return undefined;
    }
  };
}

/** Bytes on disk of all files below; what vanishes meanwhile counts nothing. */
export async function sizeOfFolder(directory: string): Promise<number> {
  let bytes = 0;
  const waiting = [directory];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    const entries = await readdir(current, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(current, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile())
        bytes += await stat(path).then(
          ({ blocks }) => blocks * 512,
          () => 0,
        );
    }
  }
  return bytes;
}
