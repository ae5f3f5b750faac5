/**
 * How many views may wait. Each that waits has a hash of its own, which its issue owns for as long as events have it,
 * and an issue's queries name all its hashes: so there must be an end, above which views stay where they are.
 */
import type { StateTransaction } from '../../../ports/state/state.ts';
import { twinBasis } from '../../../process/steps/twin.ts';

/** Hashes of twins that one issue may own. */
export const maxTwinHashes = 1_000;
/** Failures of one project that may wait at a time. */
export const maxWaiting = 5_000;

export interface Room {
  /** Takes the place of one more failure, with so many new hashes for the issue; false where there is none left. */
  take(issueId: number, hashes: number): boolean;
}

export async function roomFor(trx: StateTransaction, projectId: number, issueIds: ReadonlySet<number>): Promise<Room> {
  if (!issueIds.size) return { take: () => false };
  const { n } = await trx
    .selectFrom('twin')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('state', '=', 'waiting')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow();
  const owned = await twinHashesOf(trx, issueIds);
  let waiting = Number(n);
  return {
    take(issueId, hashes) {
      const own = (owned.get(issueId) ?? 0) + hashes;
      if (waiting >= maxWaiting || own > maxTwinHashes) return false;
      waiting += 1;
      owned.set(issueId, own);
      return true;
    },
  };
}

/** By issue id. */
export async function twinHashesOf(trx: StateTransaction, issueIds: ReadonlySet<number>): Promise<Map<number, number>> {
  const counts = new Map<number, number>();
  for (const issueId of issueIds) {
    const { n } = await trx
      .selectFrom('issue_hash')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('issue_id', '=', issueId)
      .where('basis', '=', twinBasis)
      .executeTakeFirstOrThrow();
    counts.set(issueId, Number(n));
  }
  return counts;
}
