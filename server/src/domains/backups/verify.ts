/** Reads every object of a backup again and holds it against its hash. */
import { existsSync, statSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { CodedError } from '../../base/errors.ts';
import { damage } from '../../base/texts/backups.ts';
import type { StoredObject } from './repository/manifest.ts';
import { readObject } from './repository/object.ts';
import { objectPlace, type Repository } from './repository/repository.ts';
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
export function* contentOf(repository: Repository, { id, parts }: StoredObject): Generator<Buffer, void, void> {
  const { keys } = repository;
  const path = repository.pathOf(id);
  if (!existsSync(path)) throw new CodedError('BACKUP_DAMAGED', [path, damage.missing]);
  const hasher = keys.hasher();
  let bytes = 0;
  for (const piece of readObject({ path, keys, place: objectPlace })) {
    hasher.update(piece);
    bytes += piece.length;
    yield piece;
  }
  if (hasher.digest('hex') !== id || bytes !== parts.reduce((sum, [, size]) => sum + size, 0)) {
    throw new CodedError('BACKUP_DAMAGED', [path, damage.changed]);
  }
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
    objects = repository.manifest(id).objects;
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
      problem = problemOf(repository, object);
      seen.set(object.id, problem);
    }
    if (problem !== '') problems.push(problem);
    done += object.stored;
    onProgress({ done, of });
  }
  return { id, objects: own.length, bytes: of, problems };
}

function problemOf(repository: Repository, object: StoredObject): string {
  try {
    const path = repository.pathOf(object.id);
    for (const _ of contentOf(repository, object)) void _;
    return statSync(path).size === object.stored ? '' : new CodedError('BACKUP_DAMAGED', [path, damage.cut]).message;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
