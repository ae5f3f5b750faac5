/** Which issue owns a group hash. */
import type { Grouping } from '../../process/types.ts';
import type { StateTransaction } from '../../state/state.ts';
import { chunksOf } from '../queries/rows.ts';

/** Stays below SQLite's limit on bound parameters with the widest row. */
export const chunkSize = 500;

export interface NewHash {
  readonly hash: string;
  readonly issueId: number;
  readonly grouping: Omit<Grouping, 'hashes'>;
  readonly eventId: string;
}

/** Of those that have an owner. */
export async function findOwners(
  trx: StateTransaction,
  projectId: number,
  hashes: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const owners = new Map<string, number>();
  for (const chunk of chunksOf([...hashes], chunkSize)) {
    const rows = await trx
      .selectFrom('issue_hash')
      .select(['hash', 'issue_id'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .execute();
    for (const row of rows) owners.set(row.hash, row.issue_id);
  }
  return owners;
}

export async function insertHashes(
  trx: StateTransaction,
  projectId: number,
  hashes: readonly NewHash[],
  now: number,
): Promise<void> {
  for (const chunk of chunksOf(hashes, chunkSize)) {
    await trx
      .insertInto('issue_hash')
      .values(
        chunk.map(({ hash, issueId, grouping, eventId }) => ({
          project_id: projectId,
          hash,
          issue_id: issueId,
          grouping_version: grouping.version,
          basis: grouping.basis,
          first_event_id: eventId,
          explanation: JSON.stringify(grouping.tree),
          created_at: now,
        })),
      )
      .execute();
  }
}
