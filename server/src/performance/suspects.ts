/**
 * Suspects in the state store: noted → due → examined and gone, or postponed because the root of its segment is still
 * to come. One that is taken is due again a while later, so that nothing is lost with who took it.
 */
import { sql } from 'kysely';
import type { State } from '../state/state.ts';
import type { Suspect } from './suspicion.ts';

export interface TakenSuspect extends Omit<Suspect, 'transaction'> {
  readonly pieces: number;
  /** This one included. */
  readonly attempts: number;
}

/** Rows of one statement. */
const chunkSize = 500;
/** After this long who took a suspect is believed to be gone. */
const leaseMs = 60_000;
/** After so many attempts it is given up. */
export const maxAttempts = 8;

/** Insert or find: what was noted keeps its time. Those of deleted projects are left out. Returns how many there were. */
export async function noteSuspects(
  state: State,
  suspects: readonly Suspect[],
  { now, waitMs }: { readonly now: number; readonly waitMs: number },
): Promise<number> {
  if (suspects.length === 0) return 0;
  return state.transaction(async (trx) => {
    const ids = [...new Set(suspects.map(({ projectId }) => projectId))];
    const rows = await trx.selectFrom('project').select('id').where('id', 'in', ids).execute();
    const living = new Set(rows.map(({ id }) => id));
    const noted = suspects.filter(({ projectId }) => living.has(projectId));
    for (let start = 0; start < noted.length; start += chunkSize) {
      await trx
        .insertInto('performance_suspect')
        .values(
          noted.slice(start, start + chunkSize).map(({ projectId, traceId, segmentId, at }) => ({
            project_id: projectId,
            trace_id: traceId,
            segment_id: segmentId,
            at,
            due_at: now + waitMs,
            noted_at: now,
            pieces: 1,
            attempts: 0,
          })),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['project_id', 'trace_id', 'segment_id'])
            .doUpdateSet({ pieces: sql<number>`performance_suspect.pieces + 1` }),
        )
        .execute();
    }
    return noted.length;
  });
}

/** The next that are due, of one project. Those that were tried too often are deleted. */
export async function takeSuspects(state: State, now: number, limit: number): Promise<TakenSuspect[]> {
  return state.transaction(async (trx) => {
    await trx
      .deleteFrom('performance_suspect')
      .where('due_at', '<=', now)
      .where('attempts', '>=', maxAttempts)
      .execute();
    const first = await trx
      .selectFrom('performance_suspect')
      .select('project_id')
      .where('due_at', '<=', now)
      .orderBy('due_at')
      .limit(1)
      .executeTakeFirst();
    if (!first) return [];
    const rows = await trx
      .selectFrom('performance_suspect')
      .selectAll()
      .where('due_at', '<=', now)
      .where('project_id', '=', first.project_id)
      .orderBy('due_at')
      .limit(limit)
      .execute();
    const taken = rows.map((row) => ({
      projectId: row.project_id,
      traceId: row.trace_id,
      segmentId: row.segment_id,
      at: row.at,
      pieces: row.pieces,
      attempts: row.attempts + 1,
    }));
    for (const suspect of taken) {
      await trx
        .updateTable('performance_suspect')
        .set({ attempts: suspect.attempts, due_at: now + leaseMs })
        .where('project_id', '=', suspect.projectId)
        .where('trace_id', '=', suspect.traceId)
        .where('segment_id', '=', suspect.segmentId)
        .execute();
    }
    return taken;
  });
}

/** Deletes what was examined, unless more of it came meanwhile: then it is due again at `againAt`. */
export async function finishSuspects(
  state: State,
  examined: readonly TakenSuspect[],
  postponed: ReadonlyMap<TakenSuspect, number>,
  againAt: number,
): Promise<void> {
  if (examined.length === 0 && postponed.size === 0) return;
  await state.transaction(async (trx) => {
    for (const { projectId, traceId, segmentId, pieces } of examined) {
      const { numDeletedRows } = await trx
        .deleteFrom('performance_suspect')
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .where('segment_id', '=', segmentId)
        .where('pieces', '=', pieces)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) continue;
      await trx
        .updateTable('performance_suspect')
        .set({ attempts: 0, due_at: againAt })
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .where('segment_id', '=', segmentId)
        .execute();
    }
    for (const [{ projectId, traceId, segmentId }, dueAt] of postponed) {
      await trx
        .updateTable('performance_suspect')
        .set({ due_at: dueAt })
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .where('segment_id', '=', segmentId)
        .execute();
    }
  });
}

/** When the next is due, ms since the epoch; undefined when there is none. */
export async function nextDue(state: State): Promise<number | undefined> {
  const row = await state.db
    .selectFrom('performance_suspect')
    .select('due_at')
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at;
}
