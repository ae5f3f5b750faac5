/**
 * What a storm sampled, kept by hash and day beside the issues: so that a list says how sure its counts are without
 * asking the events store. A batch that is run again adds twice, unless a limit decided on it; intervals only grow by that.
 */
import { sql } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { Recordable } from './sightings.ts';

export const dayMs = 86_400_000;
/** Older than what anybody keeps errors for. */
const keptDays = 1_100;
/** Of the whole project. */
export const allHashes = '';

interface Sampled {
  readonly hash: string;
  readonly day: number;
  spread: number;
  largest: number;
  errors: number;
}

/** Outside a storm nothing is written. */
export async function noteSampled(
  trx: StateTransaction,
  projectId: number,
  events: readonly Pick<Recordable, 'row'>[],
): Promise<void> {
  const sums = new Map<string, Sampled>();
  let newest = 0;
  for (const { row } of events) {
    const others = row.stands_for ?? 0;
    if (others === 0) continue;
    newest = Math.max(newest, row.timestamp);
    const day = Math.floor(row.timestamp / dayMs);
    for (const hash of [row.group_hash, allHashes]) {
      const key = `${hash} ${day}`;
      const sum = sums.get(key) ?? { hash, day, spread: 0, largest: 0, errors: 0 };
      sum.spread += others * (others + 1);
      sum.largest = Math.max(sum.largest, others + 1);
      sum.errors += others;
      sums.set(key, sum);
    }
  }
  if (sums.size === 0) return;
  for (const some of chunksOf([...sums.values()], 200)) {
    await trx
      .insertInto('sampled_day')
      .values(some.map((sum) => ({ project_id: projectId, ...sum })))
      .onConflict((conflict) =>
        conflict.columns(['project_id', 'hash', 'day']).doUpdateSet({
          spread: sql<number>`sampled_day.spread + excluded.spread`,
          largest: sql<number>`case when excluded.largest > sampled_day.largest
            then excluded.largest else sampled_day.largest end`,
          errors: sql<number>`sampled_day.errors + excluded.errors`,
        }),
      )
      .execute();
  }
  const moved = await trx
    .updateTable('project')
    .set({ sampled_until: newest })
    .where('id', '=', projectId)
    .where((eb) =>
      eb.or([eb('sampled_until', 'is', null), eb('sampled_until', '<', Math.floor(newest / dayMs) * dayMs)]),
    )
    .executeTakeFirst();
  // Once a day of storms.
  if (moved.numUpdatedRows === 0n) return;
  await trx
    .deleteFrom('sampled_day')
    .where('project_id', '=', projectId)
    .where('day', '<', Math.floor(newest / dayMs) - keptDays)
    .execute();
}
