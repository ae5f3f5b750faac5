/** How much of the disk a folder takes, and what is left of it. */
import { readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export interface DiskSpace {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Undefined where the folder is on no disk of this machine. */
export async function spaceOf(directory: string): Promise<DiskSpace | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(directory);
    return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
  } catch {
    return undefined;
  }
}

const mostReservedBytes = 10 * 2 ** 30;
const reservedShare = 0.05;

/** Of the disk that are left to others: a twentieth, of a large one less. */
export const reservedBytes = ({ totalBytes }: Pick<DiskSpace, 'totalBytes'>): number =>
  Math.min(mostReservedBytes, totalBytes * reservedShare);

/** Entries that are looked at in one go; then others have their turn. */
const entriesAtOnce = 500;
/** As a multiple of how long they took. */
const restOfThem = 4;

/** Counts what it is asked about, with rests; a file that has several names once, where it comes first. */
export class FolderSizes {
  #entries = 0;
  #began = performance.now();
  /** Of files with several names. */
  readonly #counted = new Set<string>();

  /** Bytes on disk of a file. What vanishes meanwhile counts nothing. */
  async file(path: string): Promise<number> {
    await this.#rest();
    return stat(path).then(
      ({ blocks, nlink, dev, ino }) => {
        if (nlink < 2) return blocks * 512;
        const id = `${dev} ${ino}`;
        if (this.#counted.has(id)) return 0;
        this.#counted.add(id);
        return blocks * 512;
      },
      () => 0,
    );
  }

  /** Of all files below it, but for those in some of its folders. */
  async folder(directory: string, without: readonly string[] = []): Promise<number> {
    let bytes = 0;
    const waiting = [directory];
    for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
      for (const entry of await readdir(current, { withFileTypes: true }).catch(() => [])) {
        const path = join(current, entry.name);
        if (without.includes(path)) continue;
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isFile()) bytes += await this.file(path);
      }
    }
    return bytes;
  }

  async #rest(): Promise<void> {
    if (++this.#entries % entriesAtOnce > 0) return;
    await delay(restOfThem * (performance.now() - this.#began));
    this.#began = performance.now();
  }
}

export const sizeOfFolder = (directory: string): Promise<number> => new FolderSizes().folder(directory);
