/** Reads every object of a backup again and holds it against its hash. */
import { setImmediate as turn } from 'node:timers/promises';
import { CodedError } from '../../base/errors.ts';
import { damage } from '../../base/texts/backups.ts';
import type { StoredObject } from './repository/manifest.ts';
import { readObject } from './repository/object.ts';
import { objectName, objectPlace, type Repository } from './repository/repository.ts';
import type { Progress } from './take/messages.ts';

export interface Verified {
  readonly id: string;
  readonly objects: number;
  /** Of their files. */
  readonly bytes: number;
  /** Sentences; none where all is well. */
  readonly problems: readonly string[];
}

/** The content of an object in pieces, which is what its id says, or throws `CodedError('BACKUP_DAMAGED')` at its end at the latest. */
export async function* contentOf(
  { shelf, keys }: Repository,
  { id, parts, stored }: StoredObject,
): AsyncGenerator<Buffer, void, void> {
  const name = `${shelf.place}/${objectName(id)}`;
  const damaged = (why: string): CodedError => new CodedError('BACKUP_DAMAGED', [name, why]);
  using file = await shelf.fetch(objectName(id));
  if (!file) throw damaged(damage.missing);
  const hasher = keys.hasher();
  let bytes = 0;
  for (const piece of readObject({ path: file.path, name, keys, place: objectPlace })) {
    hasher.update(piece);
    bytes += piece.length;
    yield piece;
  }
  if (hasher.digest('hex') !== id || bytes !== parts.reduce((sum, [, size]) => sum + size, 0)) {
    throw damaged(damage.changed);
  }
  if (file.size !== stored) throw damaged(damage.cut);
}

/** `seen`: ids that were read for another backup, and what was wrong with each. */
export async function verifyBackup(
  repository: Repository,
  id: string,
  onProgress: (progress: Progress) => void,
  seen = new Map<string, string>(),
): Promise<Verified> {
  let objects: StoredObject[];
  try {
    objects = (await repository.manifest(id)).objects;
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    return { id, objects: 0, bytes: 0, problems: [error.message] };
  }
  const own = [...new Map(objects.map((object) => [object.id, object])).values()];
  const of = own.reduce((sum, { stored }) => sum + stored, 0);
  let done = 0;
  const problems: string[] = [];
  for (const object of own) {
    await turn();
    let problem = seen.get(object.id);
    if (problem === undefined) {
      problem = await problemOf(repository, object);
      seen.set(object.id, problem);
    }
    if (problem !== '') problems.push(problem);
    done += object.stored;
    onProgress({ done, of });
  }
  return { id, objects: own.length, bytes: of, problems };
}

async function problemOf(repository: Repository, object: StoredObject): Promise<string> {
  try {
    for await (const _ of contentOf(repository, object)) void _;
    return '';
  } catch (error) {
    // What could not be read is not damaged.
    if (error instanceof CodedError && error.code === 'OBJECTS_UNAVAILABLE') throw error;
    return error instanceof Error ? error.message : String(error);
  }
}
