import { open, readdir, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Disk } from 'flydrive';
import type { BlobEntry, Blobs } from './blobs.ts';
import { contentOf, fileOf, fileOfPieces, inflated, isCompressed, markBytes } from './compressed.ts';
import { isMissing } from '../../base/files.ts';
import { DurableFiles } from './durable-files.ts';
import { checkKey, checkPrefix, isKey } from './keys.ts';

/** Blobs as files under `dir`, one per key, compressed where that pays. */
export function openFileBlobs({ dir }: { dir: string }): Blobs {
  const files = new DurableFiles(dir);
  const disk = new Disk(files);
  const openFile = (key: string): Promise<FileHandle | undefined> => orMissing(open(join(dir, key), 'r'));
  return {
    async put(key, value) {
      checkKey(key);
      const file = fileOf(value);
      if (file instanceof Uint8Array) await disk.put(key, file);
      else await files.putPieces(key, file);
    },
    async putStream(key, pieces, { asIs = false } = {}) {
      checkKey(key);
      let size = 0;
      const counted = async function* () {
        for await (const piece of pieces) {
          size += piece.length;
          yield piece;
        }
      };
      await files.putPieces(key, fileOfPieces(counted(), asIs));
      return size;
    },
    async get(key) {
      checkKey(key);
      const file = await orMissing(disk.getBytes(key));
      return file && contentOf(file);
    },
    async stream(key) {
      checkKey(key);
      // flydrive's stream says that there is none only once it is read; opened here, it is known now and stays readable.
      const file = await openFile(key);
      if (!file) return undefined;
      return (await startsCompressed(file))
        ? inflated(file.createReadStream({ start: markBytes }))
        : file.createReadStream({ start: 0 });
    },
    async range(key, start, length) {
      checkKey(key);
      const file = await openFile(key);
      if (!file) return undefined;
      try {
        return (await startsCompressed(file))
          ? await readInflated(file, start, length)
          : await readRange(file, start, length);
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
    async folders(prefix) {
      checkPrefix(prefix);
      const entries = (await orMissing(readdir(join(dir, prefix), { withFileTypes: true }))) ?? [];
      return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    },
    async *list(prefix) {
      if (prefix !== '') checkPrefix(prefix);
      yield* filesIn(dir, prefix);
    },
    async whole(key) {
      checkKey(key);
      const file = await openFile(key);
      if (!file) return undefined;
      const isZstd = await startsCompressed(file);
      const start = isZstd ? markBytes : 0;
      return {
        asIs: !isZstd,
        pieces: isZstd ? inflated(file.createReadStream({ start })) : file.createReadStream({ start }),
      };
    },
    tidy: () => files.tidy(),
    ready: () => files.ready(),
  };
}

/** What is removed meanwhile is left out; what is being written has a name that is no key. */
async function* filesIn(dir: string, prefix: string): AsyncGenerator<BlobEntry> {
  for (const entry of (await orMissing(readdir(join(dir, prefix), { withFileTypes: true }))) ?? []) {
    const key = `${prefix}${entry.name}`;
    if (entry.isDirectory()) yield* filesIn(dir, `${key}/`);
    else if (isKey(key)) {
      const found = await orMissing(stat(join(dir, key)));
      if (found) yield { key, bytes: found.size, version: `${found.size} ${found.mtimeMs}` };
    }
  }
}

async function startsCompressed(file: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await file.read(new Uint8Array(markBytes), 0, markBytes, 0);
  return isCompressed(buffer.subarray(0, bytesRead));
}

/** What a reader asks for may be far more than there is; up to here it is not worth asking how much that is. */
const unaskedBytes = 1024 * 1024;

async function readRange(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const size = length <= unaskedBytes ? Infinity : (await file.stat()).size;
  const bytes = new Uint8Array(Math.max(0, Math.min(length, size - start)));
  let filled = 0;
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
    if (bytesRead === 0) return bytes.slice(0, filled);
    filled += bytesRead;
  }
  return bytes;
}

/** From the beginning: what is read in parts should be put as it is. */
async function readInflated(file: FileHandle, start: number, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let offset = 0;
  const source = file.createReadStream({ start: markBytes, autoClose: false });
  for await (const piece of inflated(source) as AsyncIterable<Uint8Array>) {
    const part = piece.subarray(Math.max(0, start - offset), Math.max(0, start + length - offset));
    if (part.length > 0) parts.push(part);
    offset += piece.length;
    if (offset >= start + length) break;
  }
  return Buffer.concat(parts);
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
