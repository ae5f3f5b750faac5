/** Who leaves takes no issue with them. */
import { setImmediate as pause } from 'node:timers/promises';
import { assign } from './assign.ts';
import type { AssignedTo } from './types.ts';
import type { Live } from '../../../base/live.ts';
import type { State } from '../../../ports/state/state.ts';

const chunk = 500;

/** What is assigned to the person or team in the organisation becomes unassigned. */
export async function takeOffIssues(
  { state, live }: { state: State; live: Live },
  who: AssignedTo,
  { organizationId, byUserId }: { readonly organizationId: string; readonly byUserId: string },
): Promise<void> {
  for (;;) {
    const own = state.db
      .selectFrom('issue')
      .innerJoin('project', 'project.id', 'issue.project_id')
      .select('issue.id')
      .where('project.organization_id', '=', organizationId)
      .where('issue.merged_into', 'is', null)
      .limit(chunk);
    const rows = await (
      who.kind === 'user'
        ? own.where('issue.assignee_user_id', '=', who.id)
        : own.where('issue.assignee_team_id', '=', who.id)
    ).execute();
    if (!rows.length) return;
    const issueIds = rows.map(({ id }) => id);
    await assign({ state, live }, { issueIds, to: null, byUserId, why: 'user', nowMs: Date.now() });
    // Other requests come in between.
    await pause();
  }
}
