/**
 * The list of what people have deleted, beside the backups: a restore of a backup from before a deletion applies
 * it again. `deletions/list` has a line for each, sealed as the rest; `deletions/reach` says up to when it is complete.
 */
import { z } from 'zod';
import { CodedError } from '../../base/errors.ts';
import { damage } from '../../base/texts/backups.ts';
import type { Repository } from './repository/repository.ts';

const deletion = z.object({
  kind: z.enum(['project', 'issue', 'discarded_issue', 'person']),
  id: z.int(),
  /** Of what was deleted, and of its deletion, ms since the epoch. */
  madeAt: z.int(),
  deletedAt: z.int(),
  /** Of a person: what they are known by, sealed with the key of the installation. */
  detail: z.string().optional(),
});

export type Deletion = z.infer<typeof deletion>;

const place = 'deletion';
const listFile = 'deletions/list';
const reachFile = 'deletions/reach';

export const sameDeletion = ({ kind, id, madeAt }: Omit<Deletion, 'deletedAt'>): string => `${kind} ${id} ${madeAt}`;

export interface DeletionList {
  readonly deletions: readonly Deletion[];
  /** ms since the epoch; undefined where it was never written. */
  readonly reachesTo: number | undefined;
}

/** Throws `CodedError('BACKUP_DAMAGED')`; a last line that was not written whole counts for nothing. */
export async function readDeletions({ shelf, keys }: Repository): Promise<DeletionList> {
  const lines = ((await shelf.readText(listFile)) ?? '').split('\n').slice(0, -1);
  const deletions = lines.filter(Boolean).map((line) => {
    try {
      return deletion.parse(JSON.parse(keys.openText(line, place) ?? ''));
    } catch (error) {
      throw new CodedError('BACKUP_DAMAGED', [`${shelf.place}/${listFile}`, damage.changed], { cause: error });
    }
  });
  const reach = await shelf.readText(reachFile);
  const at = reach === undefined ? NaN : Number(reach);
  return { deletions, reachesTo: Number.isFinite(at) ? at : undefined };
}

/** Adds those that are not in it; durable when it resolves. `now`: all until then are among them, ms since the epoch. */
export async function addDeletions(repository: Repository, all: readonly Deletion[], now: number): Promise<void> {
  const { shelf, keys } = repository;
  // One that an earlier version wrote without whom it was of is written again.
  const told = (one: Deletion): string => `${sameDeletion(one)} ${one.detail ? 'known' : ''}`;
  const known = new Set((await readDeletions(repository)).deletions.map(told));
  const lines = all.filter((one) => !known.has(told(one))).map((one) => keys.sealText(JSON.stringify(one), place));
  if (lines.length > 0) await shelf.appendLines(listFile, `${lines.join('\n')}\n`);
  await shelf.writeText(reachFile, `${now}\n`);
}
