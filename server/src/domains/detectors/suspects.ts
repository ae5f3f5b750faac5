/**
 * Suspects in the state store: noted → due → claimed → examined and gone, or postponed because the root of its segment is
 * still to come.
 */
import { sql } from 'kysely';
import type { JobCounts } from '../../base/jobs/index.ts';
import { type Claim, claimDue, nextClaimAt, released, unclaimed } from '../../ports/state/claims.ts';
import type { State } from '../../ports/state/state.ts';
import type { Suspect } from './suspicion.ts';

export interface TakenSuspect extends Omit<Suspect, 'transaction'> {
  readonly pieces: number;
  /** This one included. */
  readonly attempts: number;
}

/** Rows of one statement. */
const chunkSize = 500;
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
            ...unclaimed(now + waitMs),
            noted_at: now,
            pieces: 1,
            detail: '',
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
export async function takeSuspects(state: State, claim: Claim, limit: number): Promise<TakenSuspect[]> {
  const now = claim.nowMs ?? Date.now();
  const first = await state.db
    .selectFrom('performance_suspect')
    .select('project_id')
    .where('due_at', '<=', now)
    .where('claimed_until', '<=', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  if (!first) return [];
  const ready = sql`project_id = ${first.project_id}`;
  const rows = await claimDue(state, { table: 'performance_suspect', ready, limit }, claim);
  const taken = rows.map((row) => ({
    projectId: row.project_id,
    traceId: row.trace_id,
    segmentId: row.segment_id,
    at: row.at,
    pieces: row.pieces,
    attempts: row.attempts,
  }));
  const spent = taken.filter(({ attempts }) => attempts > maxAttempts);
  await finishSuspects(state, claim.node, spent, new Map(), now);
  return taken.filter((one) => !spent.includes(one));
}

/** Deletes what was examined, unless more of it came meanwhile: then it is due again at `againAt`. What another node has by now is left to it. */
export async function finishSuspects(
  state: State,
  node: string,
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
        .where('claimed_by', '=', node)
        .where('pieces', '=', pieces)
        .executeTakeFirstOrThrow();
      if (numDeletedRows > 0n) continue;
      await trx
        .updateTable('performance_suspect')
        .set(unclaimed(againAt))
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .where('segment_id', '=', segmentId)
        .where('claimed_by', '=', node)
        .execute();
    }
    for (const [{ projectId, traceId, segmentId }, dueAt] of postponed) {
      await trx
        .updateTable('performance_suspect')
        .set({ ...released, due_at: dueAt })
        .where('project_id', '=', projectId)
        .where('trace_id', '=', traceId)
        .where('segment_id', '=', segmentId)
        .where('claimed_by', '=', node)
        .execute();
    }
  });
}

/** When the next is due, ms since the epoch; undefined when there is none. */
export const nextDue = (state: State): Promise<number | undefined> =>
  nextClaimAt(state, { table: 'performance_suspect', ready: sql`1 = 1` });

export async function countSuspects({ db }: State): Promise<JobCounts> {
  const now = Date.now();
  const { waiting, running } = await db
    .selectFrom('performance_suspect')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere('claimed_until', '<=', now).as('waiting'),
      fn.countAll<number | string>().filterWhere('claimed_until', '>', now).as('running'),
    ])
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), running: Number(running) };
}
