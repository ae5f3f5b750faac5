/** Notes what people delete, in the transaction in which it goes. */
import { chunksOf } from '../../base/chunks.ts';
import type { DeletionTable } from './backup-tables.ts';
import type { StateTransaction } from './state.ts';

export interface Deleted {
  readonly id: number;
  /** When it was made, ms since the epoch. */
  readonly madeAt: number;
}

export async function noteDeletions(
  trx: StateTransaction,
  kind: DeletionTable['kind'],
  deleted: readonly Deleted[],
  now: number,
): Promise<void> {
  for (const chunk of chunksOf(deleted, 500)) {
    await trx
      .insertInto('deletion')
      .values(chunk.map(({ id, madeAt }) => ({ kind, target_id: id, made_at: madeAt, deleted_at: now })))
      .execute();
  }
}
