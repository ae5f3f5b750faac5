/** Tells open screens that issues are different now. */
import { chunksOf } from '../../../base/chunks.ts';
import type { Live } from '../../../base/live.ts';
import type { State } from '../../../ports/state/state.ts';

export async function announce(
  { state, live }: { state: State; live: Live },
  issueIds: readonly number[],
): Promise<void> {
  for (const chunk of chunksOf(issueIds)) {
    const rows = await state.db.selectFrom('issue').select(['id', 'project_id']).where('id', 'in', chunk).execute();
    for (const [projectId, same] of Map.groupBy(rows, (row) => row.project_id)) {
      live.publish({ type: 'issues', projectId, issueIds: same.map(({ id }) => id), sameEvents: true });
    }
  }
}
