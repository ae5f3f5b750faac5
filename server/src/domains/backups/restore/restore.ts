/** Restores a backup into an empty data directory. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { lockDataDir } from '../../../base/data-dir.ts';
import { CodedError } from '../../../base/errors.ts';
import {
  readKeyText,
  type Secrets,
  secretsOf,
  type SecretsOptions,
  type TextBox,
  textBox,
} from '../../../base/secrets/index.ts';
import { thisProgram, writeWrittenBy } from '../../../ports/restore-points/index.ts';
import { restore as texts } from '../../../base/texts/backups.ts';
import { writeDurably } from '../repository/durable.ts';
import type { Summary } from '../repository/manifest.ts';
import type { Repository } from '../repository/repository.ts';
import type { Progress } from '../take/messages.ts';
import { readDeletions } from '../deletions.ts';
import { type Applied, applyDeletions } from './apply-deletions.ts';
import { keepProject } from './keep-project.ts';
import { checkTarget, finish, laidDown, layDown, moveIn } from './files.ts';

export interface RestoreOptions {
  readonly dataDir: string;
  readonly id: string;
  /** Where the key of the installation is, if the backup does not have it. */
  readonly key: SecretsOptions;
  /** Goes on where that key is not there. */
  readonly withoutKey: boolean;
  /** The only one that is wanted; all unless given. */
  readonly project?: string | undefined;
  readonly onProgress: (progress: Progress) => void;
}

export interface Restored {
  readonly summary: Omit<Summary, 'manifest'>;
  readonly hasKey: boolean;
  /** What the list of deletions made go; undefined where the stores are not all here. */
  readonly deleted: Applied | undefined;
  /** Until when that list reaches, ms since the epoch. */
  readonly deletionsUntil: number | undefined;
}

/** Throws `CodedError('RESTORE_REFUSED')`, `BACKUP_DAMAGED` or `DATA_DIR_IN_USE`. */
export async function restoreBackup(repository: Repository, options: RestoreOptions): Promise<Restored> {
  const { dataDir, id, withoutKey, onProgress } = options;
  checkTarget(dataDir);
  await using _ = await lockDataDir(dataDir, { isRestore: true });
  const manifest = await repository.manifest(id);
  const { summary } = manifest;
  const key = await chooseKey(summary.key, options);
  if (laidDown(dataDir) !== id) {
    await layDown(repository, manifest, dataDir, onProgress, key.isOwn ? ['secret.key'] : []);
  }
  moveIn(dataDir);
  if (key.text !== undefined && options.key.secret === '') writeDurably(join(dataDir, 'secret.key'), `${key.text}\n`);
  if (withoutKey && !key.isRight) rmSync(join(dataDir, 'secret.key'), { force: true });
  const { deletions, reachesTo } = await readDeletions(repository);
  const deleted = summary.elsewhere.some((each) => each !== 'log')
    ? undefined
    : await applyDeletions(dataDir, deletions, await boxOf(options.key, dataDir));
  if (options.project !== undefined && deleted) await keepProject(dataDir, options.project);
  // Its state store is this version's by then: there is nothing to return to but the backup.
  if (deleted && (deletions.length > 0 || options.project !== undefined)) await writeWrittenBy(dataDir, thisProgram);
  finish(dataDir);
  return { summary, hasKey: key.isRight, deleted, deletionsUntil: reachesTo };
}

/** Undefined where the key is not there. */
async function boxOf(key: SecretsOptions, dataDir: string): Promise<TextBox | undefined> {
  const text = await readKeyText({ ...key, dataDir });
  return text === undefined ? undefined : textBox(secretsOf(text, dataDir).box('stored secret'));
}

interface ChosenKey {
  readonly isRight: boolean;
  /** Not that of the backup. */
  readonly isOwn: boolean;
  /** To be written beside the data. */
  readonly text: string | undefined;
}

export async function chooseKey(
  { fingerprint, isIncluded }: Summary['key'],
  { key, dataDir, withoutKey }: Pick<RestoreOptions, 'key' | 'dataDir' | 'withoutKey'>,
): Promise<ChosenKey> {
  const text = await readKeyText(key);
  const found: Secrets | undefined = text === undefined ? undefined : secretsOf(text, key.keyFile || dataDir);
  if (found?.fingerprint === fingerprint) return { isRight: true, isOwn: true, text };
  if (isIncluded) return { isRight: true, isOwn: false, text: undefined };
  if (withoutKey) return { isRight: false, isOwn: false, text: undefined };
  const why = found ? texts.keyOther(fingerprint, found.fingerprint) : texts.keyNeeded(fingerprint);
  throw new CodedError('RESTORE_REFUSED', [dataDir, why]);
}
