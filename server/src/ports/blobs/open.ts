import { join } from 'node:path';
import { parseS3Address } from '../../base/s3/address.ts';
import { createObjects } from '../../base/s3/objects.ts';
import type { Blobs } from './blobs.ts';
import { openFileBlobs } from './files.ts';
import { openS3Blobs } from './s3.ts';

export interface BlobsOptions {
  /** Of S3, or `''` for files in the data directory. */
  readonly url: string;
  readonly dataDir: string;
}

/** Chooses the place by the URL. Nothing needs closing. */
export function openBlobs({ url, dataDir }: BlobsOptions): Blobs {
  if (url) return openS3Blobs(createObjects(parseS3Address(url)));
  return openFileBlobs({ dir: join(dataDir, 'blobs') });
}
