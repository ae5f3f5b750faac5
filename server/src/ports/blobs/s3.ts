import { Readable } from 'node:stream';
import type { Objects, ObjectHead } from '../../base/s3/objects.ts';
import type { Blobs } from './blobs.ts';
import { contentOf, fileOf, fileOfPieces, inflated, isCompressed, markBytes } from './compressed.ts';
import { checkKey, checkPrefix, isKey } from './keys.ts';

/** How an object lies, said beside it, so that a part of it takes one request. */
const form = (isZstd: boolean) => ({ 'culprit-form': isZstd ? 'zstd' : 'as-is' });
const isKnownZstd = ({ metadata }: ObjectHead): boolean | undefined =>
  metadata['culprit-form'] === undefined ? undefined : metadata['culprit-form'] === 'zstd';

const abandonedMs = 24 * 60 * 60 * 1000;
/** Kept until so many keys are deleted in one request. */
const deletedAtOnce = 1000;

/** Blobs as objects, one per key, compressed where that pays. */
export function openS3Blobs(objects: Objects): Blobs {
  return {
    async put(key, value) {
      checkKey(key);
      const file = fileOf(value);
      if (file instanceof Uint8Array) await objects.put(key, file, { metadata: form(false) });
      else await objects.putStream(key, file, form(true));
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
      const rest = fileOfPieces(counted(), asIs);
      const first = await rest.next();
      const all = async function* () {
        try {
          if (!first.done) yield first.value;
          yield* rest;
        } finally {
          await rest.return(undefined);
        }
      };
      await objects.putStream(key, all(), form(!first.done && isCompressed(first.value)));
      return size;
    },
    async get(key) {
      checkKey(key);
      const found = await objects.get(key);
      return found && contentOf(found.bytes);
    },
    async stream(key) {
      checkKey(key);
      return streamOf(objects, key);
    },
    async range(key, start, length) {
      checkKey(key);
      const found = await objects.range(key, start, length);
      if (!found) return undefined;
      const isZstd = isKnownZstd(found) ?? isCompressed((await objects.range(key, 0, markBytes))?.bytes ?? found.bytes);
      return isZstd ? readInflated(objects, key, start, length) : found.bytes;
    },
    async delete(key) {
      checkKey(key);
      await objects.delete([key]);
    },
    async deleteAll(prefix) {
      checkPrefix(prefix);
      let keys: string[] = [];
      for await (const { key } of objects.list(prefix)) {
        keys.push(key);
        if (keys.length < deletedAtOnce) continue;
        await objects.delete(keys);
        keys = [];
      }
      await objects.delete(keys);
    },
    async folders(prefix) {
      checkPrefix(prefix);
      return objects.folders(prefix);
    },
    async *list(prefix) {
      if (prefix !== '') checkPrefix(prefix);
      for await (const { key, size, modifiedAt } of objects.list(prefix)) {
        if (isKey(key)) yield { key, bytes: size, version: `${size} ${modifiedAt}` };
      }
    },
    async whole(key) {
      checkKey(key);
      const found = await openContent(objects, key);
      return found && { asIs: !found.isZstd, pieces: found.content };
    },
    async tidy() {
      await objects.abortUploads(Date.now() - abandonedMs);
    },
    ready: () => objects.ready(),
  };
}

const streamOf = async (objects: Objects, key: string): Promise<Readable | undefined> =>
  (await openContent(objects, key))?.content;

async function openContent(
  objects: Objects,
  key: string,
): Promise<{ readonly isZstd: boolean; readonly content: Readable } | undefined> {
  const found = await objects.open(key);
  if (!found) return undefined;
  const isZstd =
    isKnownZstd(found) ?? isCompressed((await objects.range(key, 0, markBytes))?.bytes ?? new Uint8Array());
  const content = Readable.from(found.pieces, { objectMode: false });
  return {
    isZstd,
    content: isZstd ? inflated(Readable.from(withoutMark(content), { objectMode: false })) : content,
  };
}

async function* withoutMark(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let left = markBytes;
  for await (const piece of pieces) {
    if (piece.length > left) yield piece.subarray(left);
    left = Math.max(0, left - piece.length);
  }
}

/** From the beginning: what is read in parts should be put as it is. */
async function readInflated(
  objects: Objects,
  key: string,
  start: number,
  length: number,
): Promise<Uint8Array | undefined> {
  const stream = await streamOf(objects, key);
  if (!stream) return undefined;
  const parts: Uint8Array[] = [];
  let offset = 0;
  for await (const piece of stream as AsyncIterable<Uint8Array>) {
    const part = piece.subarray(Math.max(0, start - offset), Math.max(0, start + length - offset));
    if (part.length > 0) parts.push(part);
    offset += piece.length;
    if (offset >= start + length) break;
  }
  return Buffer.concat(parts);
}
