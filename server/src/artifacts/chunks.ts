/** Chunks: pieces of an upload, kept under their checksum until a bundle is put together from them. */
import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Blobs } from '../blobs/blobs.ts';
import { CodedError } from '../errors.ts';
import type { State, StateTransaction } from '../state/state.ts';
import { slicesOf } from './find.ts';
import { chunkKey } from './keys.ts';
import { chunkSize } from './limits.ts';

const checksumForm = /^[0-9a-f]{40}$/;

export interface ReceivedChunk {
  readonly organizationId: string;
  /** The SHA-1 that the client says, hex. */
  readonly checksum: string;
  readonly gzip: boolean;
  readonly body: Readable;
}

/**
 * Stores a chunk as it arrives, never more than a piece of it in memory. Throws `CodedError('CHUNK_INVALID')` when it
 * is larger than a chunk may be, cannot be decompressed, or is not what its checksum says; then nothing is stored.
 */
export async function storeChunk(
  { state, blobs }: { state: State; blobs: Blobs },
  { organizationId, checksum: given, gzip, body }: ReceivedChunk,
  now = Date.now(),
): Promise<void> {
  const checksum = given.toLowerCase();
  if (!checksumForm.test(checksum)) {
    throw new CodedError('CHUNK_INVALID', [given.slice(0, 100), 'its file name must be the SHA-1 of its content']);
  }
  const size = await blobs.putStream(chunkKey(organizationId, checksum), checkedPieces(body, gzip, checksum));
  await state.db
    .insertInto('artifact_chunk')
    .values({ organization_id: organizationId, checksum, size_bytes: size, touched_at: now })
    .onConflict((conflict) => conflict.columns(['organization_id', 'checksum']).doUpdateSet({ touched_at: now }))
    .execute();
}

async function* checkedPieces(body: Readable, gzip: boolean, checksum: string): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha1');
  let size = 0;
  for await (const piece of gzip ? decompressed(body, checksum) : (body as AsyncIterable<Buffer>)) {
    size += piece.length;
    if (size > chunkSize) throw new CodedError('CHUNK_INVALID', [checksum, `it is larger than ${chunkSize} bytes`]);
    hash.update(piece);
    yield piece;
  }
  const found = hash.digest('hex');
  if (found !== checksum) {
    throw new CodedError('CHUNK_INVALID', [checksum, `its content has the SHA-1 ${found}; it was damaged on its way`]);
  }
}

async function* decompressed(body: Readable, checksum: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  // An error of either ends the other, and comes out below.
  pipeline(body, gunzip, () => {});
  try {
    for await (const piece of gunzip) yield piece as Buffer;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    throw new CodedError('CHUNK_INVALID', [checksum, 'it is not compressed with gzip'], { cause: error });
  }
}

/** Sizes of those chunks that are there. They are kept for another day, since somebody wants to use them. */
export async function touchChunks(
  trx: StateTransaction,
  organizationId: string,
  checksums: readonly string[],
  now: number,
): Promise<Map<string, number>> {
  const sizes = new Map<string, number>();
  for (const slice of slicesOf([...new Set(checksums)])) {
    const rows = await trx
      .updateTable('artifact_chunk')
      .set({ touched_at: now })
      .where('organization_id', '=', organizationId)
      .where('checksum', 'in', slice)
      .returning(['checksum', 'size_bytes'])
      .execute();
    for (const row of rows) sizes.set(row.checksum, row.size_bytes);
  }
  return sizes;
}
