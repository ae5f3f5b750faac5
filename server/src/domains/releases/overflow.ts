/** How many names found no room, by day: said on the page of releases, so that nobody looks for them in vain. */
import type { NameOverflowTable } from '../../ports/state/release-tables.ts';
import type { State, StateTransaction } from '../../ports/state/state.ts';

export type NameKind = NameOverflowTable['kind'];

const dayMs = 86_400_000;
const keptDays = 7;

const dayOf = (now: number): number => now - (now % dayMs);

/** Counts names of projects that were left out. */
export async function countOverflow(
  trx: StateTransaction,
  kind: NameKind,
  names: ReadonlyMap<number, number>,
  now: number,
): Promise<void> {
  const day = dayOf(now);
  // Two batches lock in one order.
  for (const [projectId, count] of [...names].toSorted(([a], [b]) => a - b)) {
    await trx
      .deleteFrom('name_overflow')
      .where('project_id', '=', projectId)
      .where('day', '<', day - keptDays * dayMs)
      .execute();
    await trx
      .insertInto('name_overflow')
      .values({ project_id: projectId, kind, day, names: count })
      .onConflict((conflict) =>
        conflict
          .columns(['project_id', 'kind', 'day'])
          .doUpdateSet((eb) => ({ names: eb('name_overflow.names', '+', eb.ref('excluded.names')) })),
      )
      .execute();
  }
}

export interface Overflow {
  readonly projectId: number;
  readonly kind: NameKind;
  readonly names: number;
}

/** Of today and yesterday. */
export async function overflowsOf(state: State, projectIds: readonly number[], now: number): Promise<Overflow[]> {
  if (!projectIds.length) return [];
  const rows = await state.db
    .selectFrom('name_overflow')
    .select(({ fn }) => ['project_id', 'kind', fn.sum<number>('names').as('names')])
    .where('project_id', 'in', projectIds)
    .where('day', '>=', dayOf(now) - dayMs)
    .groupBy(['project_id', 'kind'])
    .orderBy('project_id')
    .orderBy('kind')
    .execute();
  return rows.map((row) => ({ projectId: row.project_id, kind: row.kind, names: Number(row.names) }));
}
