import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

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

/** Whole or not at all whenever the process is killed, and on disk when it resolves. For its owner alone. */
export async function writeDurable(path: string, text: string): Promise<void> {
  const file = await open(`${path}.new`, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(`${path}.new`, path);
  await syncDirectory(dirname(path));
}
