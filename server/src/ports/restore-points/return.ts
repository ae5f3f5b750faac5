/**
 * Takes a data directory back to a restore point. What is to stand in it is made first, beside it; then names are exchanged.
 * A kill in between leaves a note, by which the next try goes on. Meanwhile the state store is a file that no version
 * takes for one, so that none starts on half of each.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CodedError } from '../../base/errors.ts';
import { ignoreMissing, syncDirectory, writeDurable } from '../../base/files.ts';
import type { BoxSetup } from '../../base/secrets/index.ts';
import { restorePoints as texts } from '../../base/texts/stores.ts';
import { retainedDir } from '../queue/retained.ts';
import { type Returning, returning, type Rewound, rewindLog } from '../queue/rewind.ts';
import { dataOf, goneDir, pointsDir, type RestorePoint, waitingOf } from './points.ts';
import { foldChanges } from './snapshot.ts';
import { removeWrittenBy, writeWrittenBy } from './written-by.ts';

export interface ReturnOptions {
  readonly dataDir: string;
  readonly point: RestorePoint;
  readonly logMaxBytes: number;
  readonly box: BoxSetup;
  readonly progress?: (records: number) => void;
}

/** What is exchanged before the state store. */
const names = ['events', 'payloads', 'blobs', 'event-index'] as const;
const logFiles = ['log.mdb', 'log.mdb-lock'] as const;
const noteFile = 'return.json';
/** SQLite says of a file of this that it is no database. */
const blocker = `${texts.blocker}\n`.padEnd(4096);

const noteOf = (dataDir: string): string => join(pointsDir(dataDir), noteFile);
const workOf = (dataDir: string): string => join(pointsDir(dataDir), '.returning');

/** The point to which an exchange of names is under way. */
export async function isReturning(dataDir: string): Promise<RestorePoint | undefined> {
  const said = await readFile(noteOf(dataDir), 'utf8').catch(ignoreMissing);
  // An earlier version that was killed before it had exchanged anything may have left an empty one.
  return said ? (JSON.parse(said) as RestorePoint) : undefined;
}

/** Throws `CodedError('DOWNGRADE_INTERRUPTED')` while names are exchanged. */
export async function refuseHalf(dataDir: string): Promise<void> {
  if (await isReturning(dataDir)) throw new CodedError('DOWNGRADE_INTERRUPTED', [dataDir]);
}

/** What would come back of the log; undefined where the point has none. */
export async function lookAhead({
  dataDir,
  point,
  logMaxBytes,
}: Omit<ReturnOptions, 'box'>): Promise<Returning | undefined> {
  if (!point.log || !existsSync(join(dataDir, 'log/log.mdb'))) return undefined;
  return returning({ dir: join(dataDir, 'log'), limitBytes: logMaxBytes }, point.log);
}

/** Only while the caller has the directory locked, and the engine is gone. */
export async function returnTo(options: ReturnOptions): Promise<Rewound | undefined> {
  const { dataDir, point } = options;
  const work = workOf(dataDir);
  await rm(work, { recursive: true, force: true });
  await mkdir(join(work, 'log'), { recursive: true, mode: 0o700 });
  const rewound = point.log && (await writeLog(options, join(work, 'log')));
  await mkdir(join(work, 'away'), { mode: 0o700 });
  // SQLite would read a log of changes in place of the file.
  foldChanges(join(dataDir, 'state.db'));
  await writeFile(join(work, 'blocker'), blocker, { mode: 0o600, flush: true });
  await syncDirectory(work);
  // From here on it goes forward only.
  await writeDurable(noteOf(dataDir), JSON.stringify(point));
  await finishReturn(dataDir, point);
  return rewound;
}

async function writeLog(
  { dataDir, point, logMaxBytes, box, progress }: ReturnOptions,
  to: string,
): Promise<Rewound | undefined> {
  const { log: mark } = point;
  if (!mark) return undefined;
  const { bavail, bsize } = await statfs(dataDir);
  const dir = join(dataDir, 'log');
  return rewindLog({
    dir,
    limitBytes: Math.max(logMaxBytes, bavail * bsize),
    box,
    mark,
    waiting: waitingOf(dataDir, point),
    to,
    ...(progress && { progress }),
  });
}

/** Goes on where it was broken off. Each step may be done twice. */
export async function finishReturn(dataDir: string, point: RestorePoint): Promise<void> {
  const work = workOf(dataDir);
  const away = join(work, 'away');
  const data = dataOf(dataDir, point);
  if (existsSync(join(work, 'blocker'))) {
    // In its place at once: where there is none, a version makes an empty one.
    await rename(join(work, 'blocker'), join(dataDir, 'state.db'));
    await syncDirectory(dataDir);
  }
  // Empty, and of the state store that is gone.
  if (existsSync(join(data, 'state.db'))) {
    for (const end of ['-wal', '-shm']) await rm(join(dataDir, `state.db${end}`), { force: true });
  }
  for (const name of names) {
    await exchange(join(dataDir, name), join(data, name), join(away, name), point.entries.includes(name));
  }
  if (point.log) {
    for (const name of logFiles) {
      await exchange(join(dataDir, 'log', name), join(work, 'log', name), join(away, name), name === 'log.mdb');
    }
  }
  await rm(retainedDir(join(dataDir, 'log')), { recursive: true, force: true });
  // A version that notes nothing must not be taken for this one later.
  if (point.from.isGuessed) await removeWrittenBy(dataDir);
  else await writeWrittenBy(dataDir, point.from);
  // In place of the file that no version takes for a state store: what comes after is only clearing up.
  if (existsSync(join(data, 'state.db'))) await rename(join(data, 'state.db'), join(dataDir, 'state.db'));
  for (const path of [dataDir, join(dataDir, 'log')]) await syncDirectory(path);
  // The note goes with all points in one step: none of them fits any more.
  await rename(pointsDir(dataDir), goneDir(dataDir));
  await syncDirectory(dataDir);
  await rm(goneDir(dataDir), { recursive: true, force: true });
}

/** What is there goes away, what was there comes back. What came back already stays. */
async function exchange(there: string, back: string, away: string, comesBack: boolean): Promise<void> {
  if (comesBack && !existsSync(back)) return;
  await moveIfThere(there, away);
  await moveIfThere(back, there);
}

async function moveIfThere(from: string, to: string): Promise<void> {
  await rename(from, to).catch(ignoreMissing);
}
