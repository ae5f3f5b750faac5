/** Tries out a place for blobs: whatever the server will do there is done once, with an object of its own. */
import { randomBytes, randomUUID } from 'node:crypto';
import { CodedError } from '../../base/errors.ts';
import { parseS3Address } from '../../base/s3/address.ts';
import { createObjects } from '../../base/s3/objects.ts';
import { objects as texts } from '../../base/texts/stores.ts';
import { openS3Blobs } from './s3.ts';

export interface Probed {
  readonly place: string;
  /** How far its clock is ahead of ours, ms; undefined where it does not say. */
  readonly aheadMs: number | undefined;
}

/** Throws `CodedError('OBJECTS_UNAVAILABLE')` with why and what to do, `RangeError` for an address that is none. */
export async function probeS3(url: string): Promise<Probed> {
  const objects = createObjects(parseS3Address(url));
  const blobs = openS3Blobs(objects);
  const key = `doctor/${randomUUID()}`;
  const content = randomBytes(14);
  await blobs.ready();
  await blobs.put(key, content);
  try {
    const [whole, part] = [await blobs.get(key), await blobs.range(key, 8, 6)];
    if (!whole || !content.equals(whole) || !part || !content.subarray(8).equals(part)) {
      throw new CodedError('OBJECTS_UNAVAILABLE', [objects.place, texts.otherContent]);
    }
    if (await objects.put(key, content, { ifAbsent: true })) {
      throw new CodedError('OBJECTS_UNAVAILABLE', [objects.place, texts.unconditional]);
    }
  } finally {
    await blobs.delete(key);
  }
  if (await blobs.get(key)) throw new CodedError('OBJECTS_UNAVAILABLE', [objects.place, texts.undeleted]);
  return { place: objects.place, aheadMs: await objects.clockAhead() };
}
