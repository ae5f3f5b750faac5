/**
 * Where events belong once they are symbolicated again. Their rows keep the hash that they were stored with, and its
 * issue keeps it; the hash that such an event would get now is given to the same issue, so that the events to come are
 * found there. Where it has an issue of its own already, the two are one: who asked joins them.
 */
import type { Grouping, IssueSeed } from '../../../process/types.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { findOwners, insertHashes, type NewHash } from '../record/hashes.ts';
import { WordsOfBatch } from '../record/words.ts';
import { lockProject } from '../record.ts';

export interface RevisedEvent {
  readonly eventId: string;
  /** ms since the epoch. */
  readonly at: number;
  /** That its row carries. */
  readonly hash: string;
  /** As it would be grouped now. */
  readonly grouping: Grouping;
  readonly seed: IssueSeed;
}

/** An event of one issue that would go to another now. */
export interface Apart {
  readonly issueId: number;
  /** The issue's own id where its event would stay. */
  readonly wouldBe: number;
}

/** `titled` has the issues that have their new title; the first event of each gives it, so the newest should come first. */
export async function followRevisions(
  state: State,
  projectId: number,
  revised: readonly RevisedEvent[],
  titled: Set<number>,
  now: number,
): Promise<Apart[]> {
  if (!revised.length) return [];
  return state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, now))) return [];
    const hashes = new Set(revised.flatMap(({ hash, grouping }) => [hash, ...grouping.hashes]));
    const owners = await findOwners(trx, projectId, hashes);
    const said = new Set(revised.flatMap(({ grouping }) => grouping.words?.hash ?? []));
    const words = await WordsOfBatch.read(trx, projectId, said);
    const added: NewHash[] = [];
    const places: Apart[] = [];
    for (const { hash, grouping, seed, eventId } of revised) {
      const issueId = owners.get(hash);
      if (issueId === undefined) continue;
      const known = grouping.hashes.find((one) => owners.has(one));
      const wouldBe = (known === undefined ? undefined : owners.get(known)) ?? issueId;
      for (const one of grouping.hashes) {
        if (owners.has(one)) continue;
        owners.set(one, wouldBe);
        added.push({ hash: one, issueId: wouldBe, grouping, eventId, like: known ?? hash, via: 'reprocessing' });
      }
      words.note(grouping.words, wouldBe);
      places.push({ issueId, wouldBe });
      if (!titled.has(issueId)) await retitle(trx, issueId, seed);
      titled.add(issueId);
    }
    await insertHashes(trx, projectId, added, now);
    await words.save();
    return places;
  });
}

async function retitle(trx: StateTransaction, issueId: number, { title, culprit, metadata }: IssueSeed): Promise<void> {
  await trx
    .updateTable('issue')
    .set({ title, culprit, metadata: JSON.stringify(metadata) })
    .where('id', '=', issueId)
    .execute();
}
