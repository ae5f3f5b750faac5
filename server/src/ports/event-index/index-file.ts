/** The file of the index in its folder. */
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../base/files.ts';

export const indexFile = 'index.mdb';

const magic = 0xbe_ef_c0_de;
/** By how LMDB was built. */
const magicAt = [16, 24];
const startBytes = 28;

/** Whatever else stands in its place: LMDB takes the program down with it. */
export async function isForeign(path: string): Promise<boolean> {
  const bytes = await open(path, 'r').then(readStart).catch(ignoreMissing);
  return (
    bytes !== undefined && !(bytes.length === startBytes && magicAt.some((at) => bytes.readUInt32LE(at) === magic))
  );
}

async function readStart(handle: FileHandle): Promise<Buffer> {
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(startBytes), 0, startBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

export const removeFiles = (dir: string): Promise<unknown> =>
  Promise.all([indexFile, `${indexFile}-lock`].map((name) => rm(join(dir, name), { force: true })));
