/** Puts chunks together to the bundle that they are pieces of. */
import { createHash } from 'node:crypto';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { State } from '../../../ports/state/state.ts';
import { BundleError } from '../bundle/bundle-error.ts';
import { bundleKey, chunkKey } from '../keys.ts';
import { bundleProblems } from '../../../base/texts/artifacts.ts';

export interface ChunkList {
  readonly organizationId: string;
  readonly checksum: string;
  readonly chunks: readonly string[];
}

/** Writes the bundle's blob unless it is there; gives its key. Throws BundleError when it is not what its checksum says. */
export async function assembleBlob(stores: { state: State; blobs: Blobs }, list: ChunkList): Promise<string> {
  const { blobs } = stores;
  const key = bundleKey(list.organizationId, list.checksum);
  if ((await blobs.range(key, 0, 1)) === undefined) await blobs.putStream(key, pieces(stores, list), { asIs: true });
  return key;
}

async function* pieces(
  { state, blobs }: { state: State; blobs: Blobs },
  { organizationId, checksum, chunks }: ChunkList,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha1');
  for (const chunk of chunks) {
    const stream = await blobs.stream(chunkKey(organizationId, chunk));
    if (!stream) {
      // So that the next client that has it is asked for it.
      await state.db
        .deleteFrom('artifact_chunk')
        .where('organization_id', '=', organizationId)
        .where('checksum', '=', chunk)
        .execute();
      throw new BundleError(bundleProblems.partMissing, { mayPass: true });
    }
    for await (const piece of stream as AsyncIterable<Buffer>) {
      hash.update(piece);
      yield piece;
    }
  }
  if (hash.digest('hex') !== checksum) {
    throw new BundleError(bundleProblems.otherChecksum, {
      mayPass: true,
    });
  }
}
