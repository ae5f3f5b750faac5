import { open } from 'node:fs/promises';

export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');

export function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}

/** Without this a new name in it is in memory only. One that is gone meanwhile is passed over. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r').catch(ignoreMissing);
  if (!directory) return;
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
