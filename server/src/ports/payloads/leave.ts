/** Writers of all threads and processes are told to leave their segments: the time of a file says since when. */
import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreMissing } from '../../base/files.ts';

const fileOf = (dir: string): string => join(dir, 'leave');

/** From now on. `at`: ms since the epoch. */
export async function tellToLeave(dir: string, at: number): Promise<void> {
  await writeFile(fileOf(dir), '', { mode: 0o600 }).catch(ignoreMissing);
  await utimes(fileOf(dir), at / 1000, at / 1000).catch(ignoreMissing);
}

/** Segments that were begun before are to be left; 0 where nobody said so. */
export async function toldToLeave(dir: string): Promise<number> {
  return (await stat(fileOf(dir)).catch(ignoreMissing))?.mtimeMs ?? 0;
}
