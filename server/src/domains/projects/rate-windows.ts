/** Windows of rate limits, of which nodes take their shares. */
import { sql } from 'kysely';
import type { State } from '../../ports/state/state.ts';

export interface ShareOfWindow {
  readonly keyId: number;
  readonly category: string;
  /** ms since the epoch. */
  readonly endMs: number;
  readonly items: number;
}

/** Takes all of them in one statement. Resolves to what was taken of each window in all, in the order of `shares`. */
export async function takeShares({ db }: Pick<State, 'db'>, shares: readonly ShareOfWindow[]): Promise<number[]> {
  if (shares.length === 0) return [];
  const nameOf = (keyId: number, category: string): string => `${keyId} ${category}`;
  // Always in the same order, so that no two nodes wait for each other.
  const sorted = shares.toSorted((a, b) => a.keyId - b.keyId || (a.category < b.category ? -1 : 1));
  const rows = await db
    .insertInto('rate_window')
    .values(
      sorted.map(({ keyId, category, endMs, items }) => ({
        key_id: keyId,
        category,
        ends_at: endMs,
        taken: items,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'category']).doUpdateSet({
        // A node whose clock is behind counts into the window of the others.
        taken: sql<number>`case when excluded.ends_at > rate_window.ends_at
          then excluded.taken else rate_window.taken + excluded.taken end`,
        ends_at: sql<number>`case when excluded.ends_at > rate_window.ends_at
          then excluded.ends_at else rate_window.ends_at end`,
      }),
    )
    .returning(['key_id', 'category', 'taken'])
    .execute();
  const taken = new Map(rows.map((row) => [nameOf(row.key_id, row.category), row.taken]));
  return shares.map(({ keyId, category, items }) => taken.get(nameOf(keyId, category)) ?? items);
}

/** Windows that ended before that, ms since the epoch: of keys that are quiet or gone. */
export async function deleteEndedWindows({ db }: Pick<State, 'db'>, before: number): Promise<void> {
  await db.deleteFrom('rate_window').where('ends_at', '<', before).execute();
}
