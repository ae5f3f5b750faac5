/** Segments of another store, with what is wanted of them, under numbers that are free here. */
import { copyFile, mkdir, rm, open } from 'node:fs/promises';
import { constants } from 'node:fs';
import { dirname } from 'node:path';
import { syncDirectory } from '../../base/files.ts';
import { packSegment } from './pack.ts';
import { dayName, begunAt, fileOf, listDays } from './segment-files.ts';

export interface AdoptedSegment {
  readonly from: number;
  readonly to: number;
}

/**
 * `wanted`: ordinals that stay, by segment of `fromDir`, which is changed for that: nobody else uses it. Resolves when they
 * are on disk; those that are not there at all are left out.
 */
export async function adoptSegments(
  fromDir: string,
  toDir: string,
  wanted: ReadonlyMap<number, ReadonlySet<number>>,
): Promise<AdoptedSegment[]> {
  const taken = new Set((await listDays(toDir)).flatMap(({ segments }) => [...segments.keys()]));
  const there = new Set((await listDays(fromDir)).flatMap(({ segments }) => [...segments.keys()]));
  const adopted: AdoptedSegment[] = [];
  const folders = new Set<string>();
  for (const [segment, ordinals] of wanted) {
    if (!there.has(segment)) continue;
    // What is erased is not wanted any more: the file that says so has no more to say.
    await rm(fileOf(fromDir, segment, 'erased'), { force: true });
    await packSegment(fromDir, segment, ordinals);
    const to = freeNumber(segment, taken);
    taken.add(to);
    const path = fileOf(toDir, to, 'packed');
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await copyFile(fileOf(fromDir, segment, 'packed'), path, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    await sync(path);
    folders.add(dirname(path));
    adopted.push({ from: segment, to });
  }
  for (const folder of folders) await syncDirectory(folder);
  await syncDirectory(toDir).catch(() => undefined);
  return adopted;
}

/** The nearest of the same day: it goes when that does. */
function freeNumber(segment: number, taken: ReadonlySet<number>): number {
  const day = dayName(begunAt(segment));
  let number = segment;
  while (taken.has(number) && dayName(begunAt(number + 1)) === day) number++;
  while (taken.has(number)) number--;
  return number;
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
