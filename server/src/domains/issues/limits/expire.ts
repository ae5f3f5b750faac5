/** What has waited for longer than events of its project are kept is forgotten as those are. */
import type { State } from '../../../ports/state/state.ts';
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
