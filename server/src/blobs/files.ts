import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import type { Blobs } from './blobs.ts';
import { DurableFiles, isMissing } from './durable-files.ts';
import { checkKey, checkPrefix } from './keys.ts';

/** Blobs as files under `dir`, one per key. */
export function openFileBlobs({ dir }: { dir: string }): Blobs {
  const files = new DurableFiles(dir);
  const disk = new Disk(files);
  return {
    async put(key, value) {
      checkKey(key);
      await disk.put(key, value);
    },
    async putStream(key, pieces) {
      checkKey(key);
      return files.putPieces(key, pieces);
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
    async range(key, start, length) {
      checkKey(key);
      const file = await orMissing(open(join(dir, key), 'r'));
      if (!file) return undefined;
      try {
        return await readRange(file, start, length);
      } finally {
        await file.close();
      }
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

async function readRange(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  // What a reader asks for may be far more than there is.
  const { size } = await file.stat();
  const bytes = new Uint8Array(Math.max(0, Math.min(length, size - start)));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) return bytes.subarray(0, filled);
    filled += bytesRead;
  }
  return bytes;
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
