/**
 * Restore points: how the stores of a data directory were before a version first opened them, in a folder each under
 * `restore-points`. `point.json` says what it is, `data` has what `snapshot.ts` took, `waiting.records` what waited in the
 * log. It is made under another name, on disk, and then renamed: one that is there is whole.
 */
import { existsSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { BoxSetup } from '../../base/secrets/index.ts';
import { ignoreMissing, syncDirectory } from '../../base/files.ts';
import { restorePoints as texts } from '../../base/texts/stores.ts';
import { type LogMark, markLog } from '../queue/rewind.ts';
import { engineGone } from './engine-gone.ts';
import { bytesToCopy, type Snapshot, takeSnapshot } from './snapshot.ts';
import { thisProgram, type WrittenBy } from './written-by.ts';

export interface RestorePoint extends Snapshot {
  /** Of its folder. */
  readonly name: string;
  /** What wrote the directory until then. */
  readonly from: WrittenBy;
  /** What was about to open it. */
  readonly to: string;
  /** ms since the epoch */
  readonly at: number;
  readonly tookMs: number;
  /** Undefined where there was no log. */
  readonly log: LogMark | undefined;
}

export interface MakePoint {
  readonly dataDir: string;
  readonly from: WrittenBy;
  readonly logMaxBytes: number;
  readonly box: BoxSetup;
}

/** What a start leaves free. */
const reserveBytes = 512 * 2 ** 20;
const waitingFile = 'waiting.records';
const pointFile = 'point.json';
const makingName = '.making';

export const pointsDir = (dataDir: string): string => join(dataDir, 'restore-points');
/** Points that a downgrade has left, to be removed. */
export const goneDir = (dataDir: string): string => join(dataDir, 'restore-points.gone');
export const dataOf = (dataDir: string, { name }: Pick<RestorePoint, 'name'>): string =>
  join(pointsDir(dataDir), name, 'data');
export const waitingOf = (dataDir: string, { name }: Pick<RestorePoint, 'name'>): string =>
  join(pointsDir(dataDir), name, waitingFile);

/** Only while the caller has the directory locked. Throws with a reason where there is no room for it, or no links. */
export async function makePoint({ dataDir, from, logMaxBytes, box }: MakePoint): Promise<RestorePoint> {
  const began = Date.now();
  const making = join(pointsDir(dataDir), makingName);
  await mkdir(pointsDir(dataDir), { recursive: true, mode: 0o700 });
  await rm(making, { recursive: true, force: true });
  const { bavail, bsize } = await statfs(dataDir);
  const needed = bytesToCopy(dataDir) + reserveBytes;
  if (bavail * bsize < needed) throw new Error(texts.noRoom(bavail * bsize, needed));
  await engineGone(dataDir);
  try {
    await mkdir(making, { mode: 0o700 });
    const snapshot = await takeSnapshot(dataDir, join(making, 'data'));
    const logDir = join(dataDir, 'log');
    const log = existsSync(join(logDir, 'log.mdb'))
      ? await markLog({ dir: logDir, limitBytes: logMaxBytes, box }, join(making, waitingFile))
      : undefined;
    const at = Date.now();
    const name = `${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}-${from.version.replace(/[^\w.-]/g, '') || 'earlier'}`;
    const point: RestorePoint = { ...snapshot, name, from, to: thisProgram.version, at, tookMs: at - began, log };
    const file = await open(join(making, pointFile), 'wx', 0o600);
    await file.writeFile(JSON.stringify(point));
    await file.sync();
    await file.close();
    await syncDirectory(making);
    await rename(making, join(pointsDir(dataDir), name));
    await syncDirectory(pointsDir(dataDir));
    await syncDirectory(dataDir);
    return point;
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    throw error;
  }
}

/** The oldest first. */
export async function listPoints(dataDir: string): Promise<RestorePoint[]> {
  const points: RestorePoint[] = [];
  for (const name of (await readdir(pointsDir(dataDir)).catch(ignoreMissing)) ?? []) {
    if (name.startsWith('.')) continue;
    const said = await readFile(join(pointsDir(dataDir), name, pointFile), 'utf8').catch(ignoreMissing);
    if (said !== undefined) points.push({ ...(JSON.parse(said) as RestorePoint), name });
  }
  return points.sort((a, b) => a.at - b.at);
}

/** It is no restore point any more from the first moment on. */
export async function removePoint(dataDir: string, { name }: Pick<RestorePoint, 'name'>): Promise<void> {
  const removing = join(pointsDir(dataDir), `.removing-${name}`);
  await rename(join(pointsDir(dataDir), name), removing).catch(ignoreMissing);
  await rm(removing, { recursive: true, force: true });
}

/** What a kill left of points that were made or removed. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  await rm(goneDir(dataDir), { recursive: true, force: true });
  for (const name of (await readdir(pointsDir(dataDir)).catch(ignoreMissing)) ?? []) {
    if (name === makingName || name.startsWith('.removing-')) {
      await rm(join(pointsDir(dataDir), name), { recursive: true, force: true });
    }
  }
}

/** Bytes on disk that nothing else has: what is given back when it goes. */
export async function ownBytes(dataDir: string, { name }: Pick<RestorePoint, 'name'>): Promise<number> {
  let bytes = 0;
  const waiting = [join(pointsDir(dataDir), name)];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) waiting.push(path);
      const stats = entry.isFile() ? await lstat(path).catch(ignoreMissing) : undefined;
      if (stats?.nlink === 1) bytes += stats.blocks * 512;
    }
  }
  return bytes;
}
