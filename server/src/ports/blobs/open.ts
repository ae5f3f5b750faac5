import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { addresses } from '../../base/texts/stores.ts';
import type { Blobs } from './blobs.ts';
import { openFileBlobs } from './files.ts';

export interface BlobsOptions {
  /** `''` for files in the data directory; the only place so far. */
  readonly url: string;
  readonly dataDir: string;
}

/** Chooses the place by the URL. Nothing needs closing. */
export function openBlobs({ url, dataDir }: BlobsOptions): Blobs {
  if (url) throw new CodedError('CONFIG_INVALID', [addresses.blobs(url)]);
  return openFileBlobs({ dir: join(dataDir, 'blobs') });
}
