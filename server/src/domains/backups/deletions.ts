/**
 * The list of what people have deleted, in the folder of the backups: a restore of a backup from before a deletion applies
 * it again. `deletions/list` has a line for each, sealed as the rest; `deletions/reach` says up to when it is complete.
 */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { damage } from '../../base/texts/backups.ts';
import { writeDurably } from './repository/durable.ts';
import type { Repository } from './repository/repository.ts';

const deletion = z.object({
  kind: z.enum(['project', 'issue', 'discarded_issue']),
  id: z.int(),
  /** Of what was deleted, and of its deletion, ms since the epoch. */
  madeAt: z.int(),
  deletedAt: z.int(),
});

export type Deletion = z.infer<typeof deletion>;

const place = 'deletion';
const listFile = ({ dir }: Repository): string => join(dir, 'deletions', 'list');
const reachFile = ({ dir }: Repository): string => join(dir, 'deletions', 'reach');

export const sameDeletion = ({ kind, id, madeAt }: Omit<Deletion, 'deletedAt'>): string => `${kind} ${id} ${madeAt}`;

export interface DeletionList {
  readonly deletions: readonly Deletion[];
  /** ms since the epoch; undefined where it was never written. */
  readonly reachesTo: number | undefined;
}

/** Throws `CodedError('BACKUP_DAMAGED')`; a last line that was not written whole counts for nothing. */
export function readDeletions(repository: Repository): DeletionList {
  const path = listFile(repository);
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
  const deletions = lines.filter(Boolean).map((line) => {
    try {
      return deletion.parse(JSON.parse(repository.keys.openText(line, place) ?? ''));
    } catch (error) {
      throw new CodedError('BACKUP_DAMAGED', [path, damage.changed], { cause: error });
    }
  });
  const reach = reachFile(repository);
  const at = existsSync(reach) ? Number(readFileSync(reach, 'utf8')) : NaN;
  return { deletions, reachesTo: Number.isFinite(at) ? at : undefined };
}

/** Adds those that are not in it; on disk when it returns. `now`: all until then are among them, ms since the epoch. */
export function addDeletions(repository: Repository, all: readonly Deletion[], now: number): void {
  const known = new Set(readDeletions(repository).deletions.map(sameDeletion));
  const lines = all
    .filter((one) => !known.has(sameDeletion(one)))
    .map((one) => repository.keys.sealText(JSON.stringify(one), place));
  if (lines.length > 0) {
    const path = listFile(repository);
    // A line that was cut short counts for nothing.
    if (existsSync(path)) truncateSync(path, readFileSync(path).lastIndexOf('\n') + 1);
    append(path, `${lines.join('\n')}\n`);
  }
  writeDurably(reachFile(repository), `${now}\n`);
}

function append(path: string, text: string): void {
  const file = openSync(path, 'a', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
