import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import type { Blobs } from './blobs.ts';
import { DurableFiles, isMissing } from './durable-files.ts';
import { checkKey, checkPrefix } from './keys.ts';

/** Blobs as files under `dir`, one per key. */
export function openFileBlobs({ dir }: { dir: string }): Blobs {
  const disk = new Disk(new DurableFiles(dir));
  return {
    async put(key, value) {
      checkKey(key);
      await disk.put(key, value);
    },
    async get(key) {
      checkKey(key);
      return orMissing(disk.getBytes(key));
    },
    async stream(key) {
      checkKey(key);
      // flydrive's stream says that there is none only once it is read; opened here, it is known now and stays readable.
      const stream = createReadStream(join(dir, key));
      return orMissing(once(stream, 'open').then(() => stream));
    },
    async delete(key) {
      checkKey(key);
      await orMissing(disk.delete(key));
    },
    async deleteAll(prefix) {
      checkPrefix(prefix);
      await disk.deleteAll(prefix);
    },
  };
}

/** flydrive wraps what the file system said. */
async function orMissing<T>(value: Promise<T>): Promise<T | undefined> {
  try {
    return await value;
  } catch (error) {
    if (isMissing(error) || (error instanceof Error && isMissing(error.cause))) return undefined;
    throw error;
  }
}
