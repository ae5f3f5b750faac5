/**
 * Lays the files of a backup down in a data directory: all of them in its folder `restoring`, and then each where it
 * belongs. A restore that is broken off leaves that folder, with which no server starts: it is made again, or, where
 * everything was there, only the moving is gone on with.
 */
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeSync,
} from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { restoringFolder } from '../../../base/data-dir.ts';
import { CodedError } from '../../../base/errors.ts';
import { damage, restore as texts } from '../../../base/texts/backups.ts';
import { syncDirectorySync, writeDurably } from '../repository/durable.ts';
import type { Manifest, StoredObject } from '../repository/manifest.ts';
import type { Repository } from '../repository/repository.ts';
import type { Progress } from '../take/messages.ts';
import { contentOf } from '../verify.ts';

/** What a backup may hold, and what may be in a data directory that one is restored into. */
const places = /^(?:state\.db|secret\.key|version\.json|(?:log|events|payloads|blobs)\/.+)$/;
const allowed = new Set([restoringFolder, 'secret.key', 'lost+found']);

/** Throws `CodedError('RESTORE_REFUSED')` where the directory is somebody's. */
export function checkTarget(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir).filter((name) => !name.startsWith('owner.')) : [];
  const others = names.filter((name) => !allowed.has(name));
  if (others.length === 0 || isMoving(dataDir)) return;
  const few = others.length > 4 ? [...others.slice(0, 3), '…'] : others;
  throw new CodedError('RESTORE_REFUSED', [dataDir, texts.notEmpty(few)]);
}

const completeFile = (dataDir: string): string => join(dataDir, restoringFolder, 'complete');
const isMoving = (dataDir: string): boolean => existsSync(completeFile(dataDir));

/** Id of the backup that was laid down whole, and of which some may be where it belongs; undefined where there is none. */
export const laidDown = (dataDir: string): string | undefined =>
  isMoving(dataDir) ? readFileSync(completeFile(dataDir), 'utf8').trim() : undefined;

/** `leaveOut`: paths that are not wanted. */
export async function layDown(
  repository: Repository,
  { summary, objects, links }: Manifest,
  dataDir: string,
  onProgress: (progress: Progress) => void,
  leaveOut: readonly string[] = [],
): Promise<void> {
  const folder = join(dataDir, restoringFolder);
  rmSync(folder, { recursive: true, force: true });
  const root = join(folder, 'files');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const folders = new Set<string>();
  const place = (path: string): string => {
    const file = join(root, checked(repository, path));
    if (!folders.has(dirname(file))) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    folders.add(dirname(file));
    return file;
  };
  for (const name of ['log', 'events', 'payloads', 'blobs'])
    mkdirSync(join(root, name), { recursive: true, mode: 0o700 });
  const of = objects.reduce((sum, { stored }) => sum + stored, 0);
  let done = 0;
  for (const object of objects) {
    await turn();
    await write(repository, object, (path) => (leaveOut.includes(path) ? undefined : place(path)));
    done += object.stored;
    onProgress({ done, of });
  }
  for (const [path, target] of links) {
    const file = place(path);
    // Inside of the engine's folder, wherever that is.
    const isInside = !target.startsWith('/') && normalize(join(dirname(path), target)).startsWith('events/');
    if (!isInside) throw new CodedError('BACKUP_DAMAGED', [path, damage.path]);
    symlinkSync(target, file);
  }
  for (const each of folders) syncDirectorySync(each);
  writeDurably(completeFile(dataDir), `${summary.id}\n`);
}

/** Moves what was laid down to where it belongs; may be broken off, and begun again until `finish`. */
export function moveIn(dataDir: string): void {
  const root = join(dataDir, restoringFolder, 'files');
  for (const name of readdirSync(root)) {
    const to = join(dataDir, name);
    // Nothing of it was in use before.
    rmSync(to, { recursive: true, force: true });
    renameSync(join(root, name), to);
  }
  syncDirectorySync(dataDir);
}

/** From now on it is an installation like any other. */
export function finish(dataDir: string): void {
  rmSync(join(dataDir, restoringFolder), { recursive: true });
  syncDirectorySync(dataDir);
}

function checked(repository: Repository, path: string): string {
  const isSafe = places.test(path) && !path.includes('\0') && normalize(path) === path && !path.includes('..');
  if (!isSafe) throw new CodedError('BACKUP_DAMAGED', [repository.place, damage.path]);
  return path;
}

async function write(
  repository: Repository,
  object: StoredObject,
  placeOf: (path: string) => string | undefined,
): Promise<void> {
  const files = new PartFiles(object.parts, placeOf);
  try {
    for await (const piece of contentOf(repository, object)) files.write(piece);
  } finally {
    files.end();
  }
}

/** Spreads the content of an object over its files. */
class PartFiles {
  readonly #parts: Iterator<StoredObject['parts'][number]>;
  readonly #placeOf: (path: string) => string | undefined;
  #file: number | undefined;
  #at = 0;
  #left = 0;

  constructor(parts: StoredObject['parts'], placeOf: (path: string) => string | undefined) {
    this.#parts = parts.values();
    this.#placeOf = placeOf;
    this.#open();
  }

  write(piece: Buffer): void {
    let rest = piece;
    while (rest.length > 0 && this.#left > 0) {
      const part = rest.subarray(0, this.#left);
      for (let done = 0; this.#file !== undefined && done < part.length;)
        done += writeSync(this.#file, part, done, part.length - done, this.#at + done);
      rest = rest.subarray(part.length);
      this.#at += part.length;
      this.#left -= part.length;
      if (this.#left === 0) this.#open();
    }
  }

  end(): void {
    if (this.#file === undefined) return;
    fdatasyncSync(this.#file);
    closeSync(this.#file);
    this.#file = undefined;
  }

  /** The next that anything goes to; those without content are made on the way. */
  #open(): void {
    do {
      this.end();
      const next = this.#parts.next();
      if (next.done) return;
      const [path, size, from] = next.value;
      const to = this.#placeOf(path);
      // A file may come in several objects.
      this.#file = to === undefined ? undefined : openSync(to, existsSync(to) ? 'r+' : 'w', 0o600);
      [this.#left, this.#at] = [size, from];
    } while (this.#left === 0);
  }
}
