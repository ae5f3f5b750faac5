/** Hashes that events will have by rules that are about to be in force, given to the issues that have such events now. */
import type { Grouping } from '../../../process/types.ts';
import type { State } from '../../../ports/state/state.ts';
import { followMerges } from '../merge/follow.ts';
import { lockProject } from '../record.ts';
import { findOwners, insertHashes, type NewHash } from '../record/hashes.ts';

export interface Adopted {
  readonly issueId: number;
  readonly grouping: Grouping;
  /** An event that would have them. */
  readonly eventId: string;
}

/** What has an owner keeps it. Returns how many hashes were given. */
export async function adoptHashes(
  state: State,
  projectId: number,
  adopted: readonly Adopted[],
  now: number,
): Promise<number> {
  if (!adopted.length) return 0;
  return state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, now))) return 0;
    const owners = await findOwners(trx, projectId, new Set(adopted.flatMap(({ grouping }) => grouping.hashes)));
    const newHashes: NewHash[] = [];
    for (const { issueId, grouping, eventId } of adopted) {
      const row = await trx
        .selectFrom('issue')
        .selectAll()
        .where('id', '=', issueId)
        .where('project_id', '=', projectId)
        .executeTakeFirst();
      if (!row) continue;
      const { id } = await followMerges(trx, row);
      for (const hash of grouping.hashes) {
        if (owners.has(hash)) continue;
        owners.set(hash, id);
        newHashes.push({ hash, issueId: id, grouping, eventId, via: 'reprocessing' });
      }
    }
    await insertHashes(trx, projectId, newHashes, now);
    return newHashes.length;
  });
}
