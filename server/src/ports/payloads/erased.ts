/** What was erased of a segment: nobody reads it from that moment on, and packing leaves it out. */
import { open, readFile, stat } from 'node:fs/promises';
import { ignoreMissing } from '../../base/files.ts';
import { OpenSegment } from './open-segment.ts';
import { fileOf } from './segment-files.ts';

const ordinalBytes = 4;

/** A day that was dropped has nothing left to erase. */
export async function noteErased(dir: string, segment: number, ordinals: readonly number[]): Promise<void> {
  const bytes = Buffer.alloc(ordinals.length * ordinalBytes);
  for (const [index, ordinal] of ordinals.entries()) bytes.writeUInt32LE(ordinal, index * ordinalBytes);
  const file = await open(fileOf(dir, segment, 'erased'), 'a', 0o600).catch(ignoreMissing);
  if (!file) return;
  try {
    await file.appendFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
}

export interface Erased {
  readonly ordinals: ReadonlySet<number>;
  /** Of the file that says so; it only grows. */
  readonly bytes: number;
}

/** Nearly always there is none. */
export async function readErased(dir: string, segment: number): Promise<Erased> {
  const bytes = (await readFile(fileOf(dir, segment, 'erased')).catch(ignoreMissing)) ?? Buffer.alloc(0);
  const count = Math.floor(bytes.length / ordinalBytes);
  const ordinals = Array.from({ length: count }, (_, index) => bytes.readUInt32LE(index * ordinalBytes));
  return { ordinals: new Set(ordinals), bytes: bytes.length };
}

/** What they take until the segment is packed, as a share of it; bytes. */
export async function erasedBytesOf(dir: string, segment: number): Promise<number> {
  await using opened = await OpenSegment.open(dir, segment);
  if (!opened || opened.ordinals === 0) return 0;
  const { bytes } = await readErased(dir, segment);
  const sizes = await Promise.all(
    (['packed', 'chunks'] as const).map((kind) => stat(fileOf(dir, segment, kind)).catch(ignoreMissing)),
  );
  const size = sizes.reduce((sum, found) => sum + (found?.size ?? 0), 0);
  return (size * Math.min(opened.ordinals, (bytes - opened.erasedBytes) / ordinalBytes)) / opened.ordinals;
}
