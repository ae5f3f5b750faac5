/**
 * The folder that backups are kept in: objects by the hash of what they hold, and for each backup a manifest and a summary.
 *
 *     culprit-backup.json      what the folder is, and how it is locked
 *     objects/ab/abcd…         an object each
 *     backups/ID.manifest      which objects a backup has
 *     backups/ID.json          its summary: a backup is there from the moment that this is
 *     deletions/               what was deleted since (see `deletions.ts`)
 *     incoming                 the object that is being written
 *     unfinished               objects of the run that is under way, or that was broken off
 *     in-use                   who writes
 *
 * A file is written beside its name, put on disk and renamed. A run that is broken off leaves objects that no backup has:
 * the next one takes them, or removes them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { CodedError } from '../../../base/errors.ts';
import { isMissing } from '../../../base/files.ts';
import { damage, repository as texts } from '../../../base/texts/backups.ts';
import { syncDirectorySync, writeDurably } from './durable.ts';
import { type Credential, type Keys, type Lock, makeLock, unlock } from './keys.ts';
import { type Manifest, manifestSchema, type Summary, summarySchema } from './manifest.ts';
import { ObjectWriter, readObject } from './object.ts';

const about = 'culprit-backup.json';
const lockSchema: z.ZodType<Lock> = z.union([
  z.object({ kind: z.literal('none') }),
  z.object({
    kind: z.enum(['passphrase', 'key']),
    salt: z.string(),
    wrapped: z.string(),
    cost: z.object({ N: z.int(), r: z.int(), p: z.int() }).optional(),
  }),
]);
const aboutSchema = z.object({ format: z.int(), createdAt: z.int(), lock: lockSchema });
const format = 1;

export interface RepositoryOptions {
  /** Absolute. */
  readonly dir: string;
  readonly credential: Credential | undefined;
}

export interface Repository {
  readonly dir: string;
  readonly keys: Keys;
  /** Oldest first; without those that cannot be read, which are told. */
  list(): { readonly summaries: Summary[]; readonly damaged: string[] };
  manifest(id: string): Manifest;
  pathOf(objectId: string): string;
}

/** What a folder says of itself; undefined where it is empty or not there. Throws `CodedError('BACKUP_TARGET')` for any other. */
function readAbout(dir: string): z.infer<typeof aboutSchema> | undefined {
  let names: string[];
  try {
    names = readdirSync(dir);
  } catch (error) {
    if (isMissing(error) && !existsSync(dir)) return undefined;
    throw targetError(dir, error);
  }
  if (!names.includes(about)) {
    if (names.some((name) => name !== 'lost+found')) throw new CodedError('BACKUP_TARGET', [dir, texts.foreign]);
    return undefined;
  }
  try {
    const found = aboutSchema.parse(JSON.parse(readFileSync(join(dir, about), 'utf8')));
    if (found.format <= format) return found;
  } catch (error) {
    throw new CodedError('BACKUP_DAMAGED', [join(dir, about), damage.foreign], { cause: error });
  }
  throw new CodedError('BACKUP_TARGET', [dir, texts.newer]);
}

/** One to read from. Throws `CodedError('BACKUP_TARGET')` or `CodedError('BACKUP_KEY')`. */
export function openRepository({ dir, credential }: RepositoryOptions): Repository {
  const found = readAbout(dir);
  if (!found) throw new CodedError('BACKUP_TARGET', [dir, texts.none]);
  return repositoryAt(dir, unlock(found.lock, credential));
}

/** The same, made where the folder is empty or not there. */
export function openOrMakeRepository({ dir, credential }: RepositoryOptions): Repository {
  const found = readAbout(dir);
  if (found) {
    // Whoever gives one expects that nobody else reads what is written.
    if (found.lock.kind === 'none' && credential) throw new CodedError('BACKUP_KEY', [texts.unsealed(dir)]);
    return repositoryAt(dir, unlock(found.lock, credential));
  }
  const { lock, keys } = makeLock(credential);
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const folder of ['objects', 'backups', 'deletions'])
      mkdirSync(join(dir, folder), { recursive: true, mode: 0o700 });
    writeDurably(join(dir, about), `${JSON.stringify({ format, createdAt: Date.now(), lock }, null, 2)}\n`);
  } catch (error) {
    throw targetError(dir, error);
  }
  return repositoryAt(dir, keys);
}

const targetError = (dir: string, error: unknown): CodedError =>
  new CodedError('BACKUP_TARGET', [dir, error instanceof Error ? error.message : String(error)], { cause: error });

function repositoryAt(dir: string, keys: Keys): Repository {
  return {
    dir,
    keys,
    list() {
      const summaries: Summary[] = [];
      const damaged: string[] = [];
      for (const name of readdirSync(join(dir, 'backups')).toSorted()) {
        if (!name.endsWith('.json')) continue;
        try {
          summaries.push(summarySchema.parse(JSON.parse(readFileSync(join(dir, 'backups', name), 'utf8'))));
        } catch {
          damaged.push(name);
        }
      }
      return { summaries, damaged };
    },
    manifest(id) {
      const path = join(dir, 'backups', `${id}.manifest`);
      if (!existsSync(path)) throw new CodedError('BACKUP_DAMAGED', [path, damage.missing]);
      const content = Buffer.concat([...readObject({ path, keys, place: manifestPlace(id) })]);
      try {
        return manifestSchema.parse(JSON.parse(content.toString('utf8')));
      } catch (error) {
        throw new CodedError('BACKUP_DAMAGED', [path, damage.changed], { cause: error });
      }
    },
    pathOf: (objectId) => join(dir, 'objects', objectId.slice(0, 2), objectId),
  };
}

const manifestPlace = (id: string): string => `manifest ${id}`;
export const objectPlace = 'object';

/** The backup is there from when this returns: what it names was put on disk before. */
export function writeManifest({ dir, keys }: Repository, manifest: Manifest): Summary {
  const { id } = manifest.summary;
  const folder = join(dir, 'backups');
  const draft = join(folder, `${id}.draft`);
  const content = Buffer.from(JSON.stringify(manifest));
  rmSync(draft, { force: true });
  const writer = new ObjectWriter({ path: draft, keys, isCompressed: true, place: manifestPlace(id) });
  writer.write(content);
  writer.end();
  renameSync(draft, join(folder, `${id}.manifest`));
  syncDirectorySync(folder);
  const summary: Summary = { ...manifest.summary, manifest: keys.hasher().update(content).digest('hex') };
  writeDurably(join(folder, `${id}.json`), `${JSON.stringify(summary, null, 2)}\n`);
  return summary;
}

/** The summary goes first, so that what is left of it is no backup. */
export function removeBackup({ dir }: Repository, id: string): void {
  for (const kind of ['json', 'manifest']) rmSync(join(dir, 'backups', `${id}.${kind}`), { force: true });
  syncDirectorySync(join(dir, 'backups'));
}

/** Removes what no backup has. Bytes of what went. */
export function sweep(repository: Repository): number {
  const { dir } = repository;
  const { summaries, damaged } = repository.list();
  // What cannot be read may name anything.
  if (damaged.length > 0) return 0;
  const kept = new Set(summaries.flatMap(({ id }) => repository.manifest(id).objects.map((object) => object.id)));
  const known = new Set(summaries.map(({ id }) => id));
  for (const name of readdirSync(join(dir, 'backups'))) {
    if (!name.endsWith('.json') && !known.has(name.replace(/\.\w+$/, ''))) rmSync(join(dir, 'backups', name));
  }
  let bytes = 0;
  for (const folder of readdirSync(join(dir, 'objects'))) {
    for (const name of readdirSync(join(dir, 'objects', folder))) {
      if (kept.has(name)) continue;
      const path = join(dir, 'objects', folder, name);
      bytes += statSync(path).size;
      rmSync(path);
    }
  }
  return bytes;
}
