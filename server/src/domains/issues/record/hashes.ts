/** Which issue owns a group hash. */
import { chunksOf } from '../../../base/chunks.ts';
import type { Grouping } from '../../../process/types.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';

/** Stays below SQLite's limit on bound parameters with the widest row. */
export const chunkSize = 500;

export interface NewHash {
  readonly hash: string;
  readonly issueId: number;
  readonly grouping: Omit<Grouping, 'hashes'>;
  readonly eventId: string;
  /** The hash that decided whose it is: where a merge is taken back, both go the same way. */
  readonly like?: string | undefined;
  /** The merged issue whose it is, where no hash tells. */
  readonly origin?: number | undefined;
  /** How it comes to the issue, where not as the hash of an event: upgrade, reprocessing. */
  readonly via?: string;
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
  const origins = await findOrigins(trx, projectId, hashes);
  for (const chunk of chunksOf(hashes, chunkSize)) {
    await trx
      .insertInto('issue_hash')
      .values(
        chunk.map(({ hash, issueId, grouping, eventId, via = '' }) => ({
          merged_from: origins.get(hash) ?? null,
          project_id: projectId,
          hash,
          issue_id: issueId,
          grouping_version: grouping.version,
          basis: grouping.basis,
          first_event_id: eventId,
          explanation: JSON.stringify(grouping.tree),
          created_at: now,
          via,
        })),
      )
      .execute();
  }
}

/** For those that follow a hash which a merge brought: the issue that it goes back to. */
async function findOrigins(
  trx: StateTransaction,
  projectId: number,
  hashes: readonly NewHash[],
): Promise<ReadonlyMap<string, number>> {
  const origins = new Map<string, number>();
  const leaders = new Set(hashes.flatMap(({ like }) => like ?? []));
  for (const chunk of chunksOf([...leaders], chunkSize)) {
    const rows = await trx
      .selectFrom('issue_hash')
      .select(['hash', 'merged_from'])
      .where('project_id', '=', projectId)
      .where('hash', 'in', chunk)
      .where('merged_from', 'is not', null)
      .execute();
    for (const { hash, merged_from } of rows) if (merged_from !== null) origins.set(hash, merged_from);
  }
  // In order, because one may follow another that is as new.
  for (const { hash, like, origin: said } of hashes) {
    const origin = like === undefined ? said : origins.get(like);
    if (origin !== undefined) origins.set(hash, origin);
  }
  return origins;
}
