/**
 * The directory or bucket that backups are kept in: objects by the hash of what they hold, and for each backup a manifest and a summary.
 *
 *     culprit-backup.json      what it is, and how it is locked
 *     objects/ab/abcd…         an object each
 *     backups/ID.manifest      which objects a backup has
 *     backups/ID.json          its summary: a backup is there from the moment that this is
 *     deletions/               what was deleted since (see `deletions.ts`)
 *     incoming                 the object that is being written
 *     unfinished               objects of the run that is under way, or that was broken off
 *     in-use                   who writes
 *
 * A file is written beside its name, put on disk and renamed; in a bucket it is put whole. A run that is broken off leaves objects that no backup has:
 * the next one takes them, or removes them.
 */
import * as z from 'zod';
import { CodedError } from '../../../base/errors.ts';
import { damage, placeProblems, repository as texts } from '../../../base/texts/backups.ts';
import { type Credential, type Keys, type Lock, makeLock, unlock } from './keys.ts';
import { type Manifest, manifestSchema, type Summary, summarySchema } from './manifest.ts';
import { ObjectWriter, readObject } from './object.ts';
import { openShelf, type Shelf } from './shelf.ts';

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
  /** Absolute, or an address of S3. */
  readonly dir: string;
  readonly credential: Credential | undefined;
  /** For files on their way to or from S3; one of the system's unless given. */
  readonly workDir?: string;
}

export interface Repository {
  readonly shelf: Shelf;
  /** For people; names no secret. */
  readonly place: string;
  readonly keys: Keys;
  /** Oldest first; without those that cannot be read, which are told. */
  list(): Promise<{ readonly summaries: Summary[]; readonly damaged: string[] }>;
  manifest(id: string): Promise<Manifest>;
}

/** What a place says of itself; undefined where it is empty or not there. Throws `CodedError('BACKUP_TARGET')` for any other. */
async function readAbout(shelf: Shelf): Promise<z.infer<typeof aboutSchema> | undefined> {
  const { place } = shelf;
  let text: string | undefined;
  try {
    text = await shelf.readText(about);
    if (text === undefined && (await shelf.isEmpty())) return undefined;
  } catch (error) {
    throw targetError(place, error);
  }
  if (text === undefined) throw new CodedError('BACKUP_TARGET', [place, texts.foreign]);
  try {
    const found = aboutSchema.parse(JSON.parse(text));
    if (found.format <= format) return found;
  } catch (error) {
    throw new CodedError('BACKUP_DAMAGED', [`${place}/${about}`, damage.foreign], { cause: error });
  }
  throw new CodedError('BACKUP_TARGET', [place, texts.newer]);
}

/** One to read from. Throws `CodedError('BACKUP_TARGET')` or `CodedError('BACKUP_KEY')`. */
export async function openRepository({ dir, credential, workDir }: RepositoryOptions): Promise<Repository> {
  const shelf = openShelf(dir, workDir);
  const found = await readAbout(shelf);
  if (!found) throw new CodedError('BACKUP_TARGET', [shelf.place, texts.none]);
  return repositoryAt(shelf, unlock(found.lock, credential));
}

/** The same, made where the place is empty or not there. */
export async function openOrMakeRepository({ dir, credential, workDir }: RepositoryOptions): Promise<Repository> {
  const shelf = openShelf(dir, workDir);
  const found = await readAbout(shelf);
  if (found) {
    // Whoever gives one expects that nobody else reads what is written.
    if (found.lock.kind === 'none' && credential) throw new CodedError('BACKUP_KEY', [texts.unsealed(shelf.place)]);
    return repositoryAt(shelf, unlock(found.lock, credential));
  }
  const { lock, keys } = makeLock(credential);
  try {
    await shelf.prepare();
    await shelf.writeText(about, `${JSON.stringify({ format, createdAt: Date.now(), lock }, null, 2)}\n`);
  } catch (error) {
    throw targetError(shelf.place, error);
  }
  return repositoryAt(shelf, keys);
}

function targetError(place: string, error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return placeError(place, error) ?? new CodedError('BACKUP_TARGET', [place, message], { cause: error });
}

/** Of what the system says of a full disk, or of one that nobody may write to; undefined of all else. */
export function placeError(place: string, error: unknown): CodedError | undefined {
  const problem = error instanceof Error && 'code' in error ? placeProblems[String(error.code)] : undefined;
  return problem === undefined ? undefined : new CodedError('BACKUP_TARGET', [place, problem], { cause: error });
}

export const objectName = (id: string): string => `objects/${id.slice(0, 2)}/${id}`;

function repositoryAt(shelf: Shelf, keys: Keys): Repository {
  return {
    shelf,
    place: shelf.place,
    keys,
    async list() {
      const summaries: Summary[] = [];
      const damaged: string[] = [];
      for await (const { name } of shelf.files('backups')) {
        if (!name.endsWith('.json')) continue;
        try {
          summaries.push(summarySchema.parse(JSON.parse((await shelf.readText(name)) ?? '')));
        } catch (error) {
          if (error instanceof CodedError) throw error;
          damaged.push(name.slice('backups/'.length));
        }
      }
      return { summaries, damaged };
    },
    async manifest(id) {
      const name = `${shelf.place}/backups/${id}.manifest`;
      using file = await shelf.fetch(`backups/${id}.manifest`);
      if (!file) throw new CodedError('BACKUP_DAMAGED', [name, damage.missing]);
      const content = Buffer.concat([...readObject({ path: file.path, name, keys, place: manifestPlace(id) })]);
      try {
        return manifestSchema.parse(JSON.parse(content.toString('utf8')));
      } catch (error) {
        throw new CodedError('BACKUP_DAMAGED', [name, damage.changed], { cause: error });
      }
    },
  };
}

const manifestPlace = (id: string): string => `manifest ${id}`;
export const objectPlace = 'object';

/** The backup is there from when this resolves: what it names was put on disk before. */
export async function writeManifest({ shelf, keys }: Repository, manifest: Manifest): Promise<Summary> {
  const { id } = manifest.summary;
  const content = Buffer.from(JSON.stringify(manifest));
  const draft = shelf.draft();
  const writer = new ObjectWriter({ path: draft, keys, isCompressed: true, place: manifestPlace(id) });
  writer.write(content);
  writer.end();
  await shelf.put(draft, `backups/${id}.manifest`);
  await shelf.settle();
  const summary: Summary = { ...manifest.summary, manifest: keys.hasher().update(content).digest('hex') };
  await shelf.writeText(`backups/${id}.json`, `${JSON.stringify(summary, null, 2)}\n`);
  return summary;
}

/** The summary goes first, so that what is left of it is no backup. */
export async function removeBackup({ shelf }: Repository, id: string): Promise<void> {
  for (const kind of ['json', 'manifest']) await shelf.remove(`backups/${id}.${kind}`);
  await shelf.settle();
}

/** Removes what no backup has. Bytes of what went. */
export async function sweep(repository: Repository): Promise<number> {
  const { shelf } = repository;
  const { summaries, damaged } = await repository.list();
  // What cannot be read may name anything.
  if (damaged.length > 0) return 0;
  const kept = new Set<string>();
  for (const { id } of summaries) {
    for (const object of (await repository.manifest(id)).objects) kept.add(objectName(object.id));
  }
  const known = new Set(summaries.map(({ id }) => id));
  for await (const { name } of shelf.files('backups')) {
    const id = name.slice('backups/'.length).replace(/\.\w+$/, '');
    if (!name.endsWith('.json') && !known.has(id)) await shelf.remove(name);
  }
  let bytes = 0;
  for await (const { name, size } of shelf.files('objects')) {
    if (kept.has(name)) continue;
    bytes += size;
    await shelf.remove(name);
  }
  return bytes;
}
