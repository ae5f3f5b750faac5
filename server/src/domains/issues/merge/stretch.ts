/** When issues were seen, and hashes that go from one to another. */
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { StoredIssue } from './follow.ts';
import type { HashFacts } from './hash-facts.ts';

/** Times are ms since the epoch. */
export interface Stretch {
  readonly first: number;
  readonly firstRelease: string | null;
  readonly last: number;
  readonly lastRelease: string | null;
}

type Seen = Pick<StoredIssue, 'first_seen' | 'last_seen' | 'first_release' | 'last_release'>;

/** From what issues are known for, widened by what is stored of the hashes. */
export function stretchOf(
  issues: readonly Seen[],
  hashes: Iterable<string>,
  facts: ReadonlyMap<string, HashFacts>,
): Stretch {
  const stored: Stretch[] = [];
  for (const hash of hashes) {
    const fact = facts.get(hash);
    if (fact?.events) stored.push({ first: fact.first, last: fact.last, firstRelease: null, lastRelease: null });
  }
  return together([
    ...issues.map((issue) => ({
      first: issue.first_seen,
      firstRelease: issue.first_release,
      last: issue.last_seen,
      lastRelease: issue.last_release,
    })),
    ...stored,
  ]);
}

/** From the first to the last of all; a release that is not known gives way to one that is. */
export function together(stretches: readonly Stretch[]): Stretch {
  let all: Stretch = { first: Infinity, firstRelease: null, last: -Infinity, lastRelease: null };
  for (const one of stretches) {
    const earlier = one.first < all.first;
    const later = one.last > all.last;
    all = {
      first: earlier ? one.first : all.first,
      firstRelease: earlier ? (one.firstRelease ?? all.firstRelease) : (all.firstRelease ?? one.firstRelease),
      last: later ? one.last : all.last,
      lastRelease: later ? (one.lastRelease ?? all.lastRelease) : (all.lastRelease ?? one.lastRelease),
    };
  }
  return all;
}

export const toColumns = ({ first, firstRelease, last, lastRelease }: Stretch): Seen => ({
  first_seen: first,
  first_release: firstRelease,
  last_seen: last,
  last_release: lastRelease,
});

export async function writeStretch(trx: StateTransaction, issueId: number, stretch: Stretch): Promise<void> {
  await trx.updateTable('issue').set(toColumns(stretch)).where('id', '=', issueId).execute();
}

/** What comes home to where it belongs forgets where it came from. */
export async function moveHashes(
  trx: StateTransaction,
  projectId: number,
  hashes: readonly string[],
  { from, to }: { readonly from: number; readonly to: number },
): Promise<void> {
  for (const chunk of chunksOf(hashes, 500)) {
    await trx
      .updateTable('issue_hash')
      .set((eb) => ({ issue_id: to, merged_from: eb.fn('nullif', ['merged_from', eb.val(to)]) }))
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .where('issue_id', '=', from)
      .execute();
    await trx
      .updateTable('twin')
      .set({ issue_id: to })
      .where('project_id', '=', projectId)
      .where('group_hash', 'in', chunk)
      .where('issue_id', '=', from)
      .execute();
  }
}
