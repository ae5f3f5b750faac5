/** Which of the channels that a rule names are there still. */
import type { State, StateTransaction } from '../../ports/state/state.ts';

/** In the order of the ids. */
export async function existingChannels(
  trx: StateTransaction | State['db'],
  organizationId: string,
  ids: readonly number[],
): Promise<number[]> {
  if (!ids.length) return [];
  const rows = await trx
    .selectFrom('channel')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  const there = new Set(rows.map((row) => row.id));
  return ids.filter((id) => there.has(id));
}
