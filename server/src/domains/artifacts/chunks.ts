/** Chunks: pieces of an upload, kept under their checksum until a bundle is put together from them. */
import { createHash } from 'node:crypto';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { chunksOf } from '../../base/chunks.ts';
import type { Blobs } from '../../ports/blobs/blobs.ts';
import { CodedError } from '../../base/errors.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';
import { chunkProblems } from '../../base/texts/artifacts.ts';
import { leftoverMs } from './limits.ts';
import { unassembledBytes } from './unassembled.ts';
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

export interface ChunkStores {
  readonly state: State;
  readonly blobs: Blobs;
  /** Of chunks of an organisation that are part of no bundle yet, bytes. */
  readonly limitBytes: number;
}

/** Chunks that are arriving, by organisation: each may become as large as a chunk is. */
const arriving = new Map<string, number>();

/**
 * Stores a chunk as it arrives, never more than a piece of it in memory. Throws `CodedError('CHUNK_INVALID')` when it
 * is larger than a chunk may be, cannot be decompressed, or is not what its checksum says, and
 * `CodedError('CHUNKS_FULL')` when too many wait to be assembled; then nothing is stored.
 */
export async function storeChunk(stores: ChunkStores, chunk: ReceivedChunk, now = Date.now()): Promise<void> {
  const { organizationId } = chunk;
  const others = arriving.get(organizationId) ?? 0;
  arriving.set(organizationId, others + 1);
  try {
    await checkRoom(stores, organizationId, others * chunkSize, now);
    await store(stores, chunk, now);
  } finally {
    const left = (arriving.get(organizationId) ?? 1) - 1;
    if (left > 0) arriving.set(organizationId, left);
    else arriving.delete(organizationId);
  }
}

async function checkRoom(
  { state, limitBytes }: ChunkStores,
  organizationId: string,
  arrivingBytes: number,
  now: number,
): Promise<void> {
  if ((await unassembledBytes(state, organizationId, limitBytes - arrivingBytes, now)) + arrivingBytes < limitBytes)
    return;
  throw new CodedError('CHUNKS_FULL', [Math.round(limitBytes / 1024 ** 2), leftoverMs / 3_600_000], {
    retryAfter: 600,
  });
}

async function store(
  { state, blobs }: ChunkStores,
  { organizationId, checksum: sentChecksum, gzip, body }: ReceivedChunk,
  now: number,
): Promise<void> {
  const checksum = sentChecksum.toLowerCase();
  if (!checksumForm.test(checksum)) {
    throw new CodedError('CHUNK_INVALID', [sentChecksum.slice(0, 100), chunkProblems.notNamed]);
  }
  const pieces = checkedPieces(body, gzip, checksum);
  const size = await blobs.putStream(chunkKey(organizationId, checksum), pieces, { asIs: true });
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
    if (size > chunkSize) throw new CodedError('CHUNK_INVALID', [checksum, chunkProblems.tooLarge(chunkSize)]);
    hash.update(piece);
    yield piece;
  }
  const found = hash.digest('hex');
  if (found !== checksum) {
    throw new CodedError('CHUNK_INVALID', [checksum, chunkProblems.otherChecksum(found)]);
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
    throw new CodedError('CHUNK_INVALID', [checksum, chunkProblems.notGzip], { cause: error });
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
  for (const chunk of chunksOf([...new Set(checksums)])) {
    const rows = await trx
      .updateTable('artifact_chunk')
      .set({ touched_at: now })
      .where('organization_id', '=', organizationId)
      .where('checksum', 'in', chunk)
      .returning(['checksum', 'size_bytes'])
      .execute();
    for (const row of rows) sizes.set(row.checksum, row.size_bytes);
  }
  return sizes;
}
