/**
 * The moment at which a project's first span was stored. This runs once for each batch with spans, so projects that were
 * asked about are remembered: the numbers of projects are never given twice, so what was true once stays so.
 */
import type { State } from '../../ports/state/state.ts';

const asked = new WeakMap<State, Set<number>>();
/** Numbers in one statement. */
const chunkSize = 500;

/** Returns those whose first spans these are; of several callers at once only one hears of it. `now` is ms since the epoch. */
export async function noteFirstSpans(
  state: State,
  projectIds: Iterable<number>,
  now: number,
): Promise<ReadonlySet<number>> {
  const known = asked.get(state) ?? new Set<number>();
  asked.set(state, known);
  const unknown = [...new Set(projectIds)].filter((id) => !known.has(id)).toSorted((a, b) => a - b);
  const first = new Set<number>();
  for (let start = 0; start < unknown.length; start += chunkSize) {
    const ids = unknown.slice(start, start + chunkSize);
    const rows = await state.db
      .updateTable('project')
      .set({ first_span_at: now })
      .where('id', 'in', ids)
      .where('first_span_at', 'is', null)
      .returning('id')
      .execute();
    for (const row of rows) first.add(row.id);
    for (const id of ids) known.add(id);
  }
  return first;
}
