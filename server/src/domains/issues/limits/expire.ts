/** What is forgotten of limits: what waits, as events of its project are, and what batches decided, once they are done. */
import type { EventLog, Position } from '../../../ports/queue/log.ts';
import type { State } from '../../../ports/state/state.ts';
import { keepDecidedMs } from '../record/decided.ts';
import { toWaiting } from './rows.ts';

/** `keptFrom`: of a project, ms since the epoch. */
export async function forgetWaiting({ db }: Pick<State, 'db'>, keptFrom: (projectId: number) => number): Promise<void> {
  const rows = await db
    .selectFrom('issue_limit')
    .select(['issue_id', 'project_id', 'events', 'waiting'])
    .where('waiting', '!=', '[]')
    .execute();
  for (const { issue_id, project_id, events, waiting } of rows) {
    const all = toWaiting(waiting);
    const left = all.filter(({ since }) => since >= keptFrom(project_id));
    if (left.length === all.length) continue;
    // What a batch has written meanwhile stays until the next time.
    const isEmpty = events === null && left.length === 0;
    if (isEmpty)
      await db
        .deleteFrom('issue_limit')
        .where('events', 'is', null)
        .where('issue_id', '=', issue_id)
        .where('waiting', '=', waiting)
        .execute();
    else
      await db
        .updateTable('issue_limit')
        .set({ waiting: JSON.stringify(left) })
        .where('issue_id', '=', issue_id)
        .where('waiting', '=', waiting)
        .execute();
  }
}

/**
 * Forgets what batches decided. A batch may be run again until the log has it no more, after days where the server was down:
 * so time alone does not tell. The returned function resolves to false while any that was there when it first looked is
 * under way; it looks on from there the next time.
 */
export function createDecisionExpiry(
  { db }: Pick<State, 'db'>,
  log: Pick<EventLog, 'end' | 'isDoneBefore'>,
): (nowMs: number) => Promise<boolean> {
  let mark: { readonly end: Position; readonly atMs: number } | undefined;
  return async (nowMs) => {
    mark ??= { end: await log.end(), atMs: nowMs };
    if (!(await log.isDoneBefore(mark.end))) return false;
    await db.updateTable('issue_limit_batch').set({ created_at: nowMs }).where('created_at', '=', 0).execute();
    await db
      .deleteFrom('issue_limit_batch')
      .where('created_at', '<', mark.atMs - keepDecidedMs)
      .execute();
    mark = undefined;
    return true;
  };
}
