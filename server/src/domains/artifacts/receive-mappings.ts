/** Mappings of ProGuard as clients send them: by chunks, or in a zip. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { CodedError } from '../../base/errors.ts';
import { debugFileProblems } from '../../base/texts/artifacts.ts';
import { assembleBundle, type AssembleRequest } from './assemble.ts';
import { type ArchiveEntry, openZip } from './bundle/archive.ts';
import { BundleError } from './bundle/bundle-error.ts';
import { normalDebugId } from './bundle/manifest.ts';
import { type ChunkStores, storeChunk } from './chunks.ts';
import { indexVersion } from './indexing/rows.ts';
import { chunkKey } from './keys.ts';
import { chunkSize, maxMapBytes } from './limits.ts';

const mappingName = /^\/?proguard\/([0-9a-fA-F-]{32,36})\.txt$/;

/** The id that a debug file is for; '' where it says so itself. */
export const debugIdOf = (name: string, debugId: string): string =>
  normalDebugId(mappingName.exec(name)?.[1] ?? '') ?? normalDebugId(debugId.slice(0, 36)) ?? '';

/** Native files have neither: they are refused before they are uploaded. */
export const mayBeDebugFile = (name: string, debugId: string): boolean =>
  debugIdOf(name, debugId) !== '' || name.toLowerCase().endsWith('.zip');

interface StoredZip {
  /** Checksums, in order. */
  readonly chunks: readonly string[];
  readonly bytes: number;
}

/** The ids of the mappings in a zip. Nothing of it is ever in memory as a whole but one mapping. */
export async function receiveMappings(
  stores: ChunkStores,
  upload: Omit<AssembleRequest, 'checksum' | 'chunks' | 'debugFile'>,
  zip: AsyncIterable<Uint8Array>,
): Promise<string[]> {
  const { organizationId } = upload;
  const ids: string[] = [];
  try {
    const stored = await storeChunks(stores, organizationId, zip);
    const archive = await openZip(rangeOf(stores, organizationId, stored), stored.bytes);
    for (const entry of archive.entries.values()) {
      const id = mappingId(entry);
      if (id === undefined) continue;
      const text = await archive.read(entry);
      const { chunks } = await storeChunks(stores, organizationId, [text]);
      const checksum = createHash('sha1').update(text).digest('hex');
      const debugFile = { name: `/proguard/${id}.txt`, debugId: id };
      await assembleBundle(stores.state, { ...upload, checksum, chunks, debugFile }, { indexVersion });
      ids.push(id);
    }
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    throw new CodedError('INPUT_INVALID', [error.message], { cause: error });
  }
  if (ids.length === 0) throw new CodedError('INPUT_INVALID', [debugFileProblems.noMapping]);
  return ids;
}

function mappingId({ name, bytes }: ArchiveEntry): string | undefined {
  const id = normalDebugId(mappingName.exec(name)?.[1] ?? '');
  return id !== undefined && bytes > 0 && bytes <= maxMapBytes ? id : undefined;
}

async function storeChunks(
  stores: ChunkStores,
  organizationId: string,
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredZip> {
  const chunks: string[] = [];
  let bytes = 0;
  for await (const chunk of inChunks(content)) {
    const checksum = createHash('sha1').update(chunk).digest('hex');
    await storeChunk(stores, { organizationId, checksum, gzip: false, body: Readable.from([chunk]) });
    chunks.push(checksum);
    bytes += chunk.length;
  }
  return { chunks, bytes };
}

async function* inChunks(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunk = Buffer.alloc(0);
  for await (const piece of content) {
    for (let at = 0; at < piece.length; at += chunkSize) {
      chunk = Buffer.concat([chunk, piece.subarray(at, at + chunkSize)]);
      while (chunk.length >= chunkSize) {
        yield chunk.subarray(0, chunkSize);
        chunk = chunk.subarray(chunkSize);
      }
    }
  }
  if (chunk.length > 0) yield chunk;
}

function rangeOf({ blobs }: ChunkStores, organizationId: string, { chunks, bytes }: StoredZip) {
  return async (start: number, length: number): Promise<Uint8Array<ArrayBuffer>> => {
    const end = Math.min(start + length, bytes);
    const parts: Uint8Array[] = [];
    for (let at = start; at < end;) {
      const within = at % chunkSize;
      const part = Math.min(chunkSize - within, end - at);
      const chunk = chunks[Math.floor(at / chunkSize)] ?? '';
      const read = await blobs.range(chunkKey(organizationId, chunk), within, part);
      if (!read || read.length === 0) throw new Error('a part of the zip is missing');
      parts.push(read);
      at += read.length;
    }
    return new Uint8Array(Buffer.concat(parts));
  };
}
