/**
 * What is left of deleted projects.
 *
 * When a project is deleted, events of it may still be in the log or on their way into the stores. So its id is noted,
 * and a while later, when no thread can know the project any more, what came after the deletion is deleted too. Until
 * then nobody can reach it: ids are never used again.
 */
import type { State, StateTransaction } from '../../ports/state/state.ts';

const prefix = 'deleted_project:';
/** Longer than threads remember a project's settings, ms. */
const restMs = 2 * 60_000;

/** `now` is ms since the epoch. */
export async function noteDeleted(trx: StateTransaction, projectId: number, now: number): Promise<void> {
  await trx
    .insertInto('setting')
    .values({ name: `${prefix}${projectId}`, value: JSON.stringify(now) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}

/** Calls `forget` for every project that was deleted a while ago, once it succeeds never again. Returns their ids. */
export async function sweepDeleted(
  state: State,
  forget: (projectId: number) => Promise<void>,
  now = Date.now(),
): Promise<number[]> {
  const rows = await state.db.selectFrom('setting').selectAll().where('name', 'like', `${prefix}%`).execute();
  const due = rows.filter((row) => now - Number(row.value) > restMs);
  const swept: number[] = [];
  for (const { name } of due) {
    const projectId = Number(name.slice(prefix.length));
    await forget(projectId);
    await state.db.deleteFrom('setting').where('name', '=', name).execute();
    swept.push(projectId);
  }
  return swept;
}
