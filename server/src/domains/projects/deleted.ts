/**
 * What is left of deleted projects.
 *
 * When a project is deleted, events of it may still be in the log or on their way into the stores. So its id is noted,
 * and a while later, when no thread can know the project any more, what came after the deletion is deleted too. Until
 * then nobody can reach it: ids are never used again.
 */
import { sql } from 'kysely';
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

/**
 * An id under which a project is about to be written, in a store on this machine: `wanted`, where no project ever had that
 * or a later one. Until it is kept, it is one of a deleted project: what comes under it is deleted a while after.
 */
export function reserveId({ transaction }: State, wanted: number): Promise<number> {
  return transaction(async (trx) => {
    const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = 'project'`.execute(trx);
    const last = Number(rows[0]?.seq ?? 0);
    const id = wanted > last ? wanted : last + 1;
    await sql`delete from sqlite_sequence where name = 'project'`.execute(trx);
    await sql`insert into sqlite_sequence (name, seq) values ('project', ${id})`.execute(trx);
    await noteDeleted(trx, id, Date.now());
    return id;
  });
}

/** It has come to be. */
export async function keepReserved(trx: StateTransaction, id: number): Promise<void> {
  await trx.deleteFrom('setting').where('name', '=', `${prefix}${id}`).execute();
}
