/** What people do to issues. */
import type { Events } from '../events/events.ts';
import type { Live } from '../live/live.ts';
import type { IssueStatus } from '../state/schema.ts';
import type { State } from '../state/state.ts';
import { chunksOf } from './queries/rows.ts';

export interface StatusChange {
  readonly issueIds: readonly number[];
  readonly status: IssueStatus;
  readonly userId: string;
  /** ms since the epoch. */
  readonly nowMs: number;
}

/** Where people say no more, an issue that is opened again is an ongoing one. */
export const substatusOf = (status: IssueStatus): string | null => (status === 'unresolved' ? 'ongoing' : null);

/** Returns the ids of the issues whose status is another now; each gets an entry in its activity. */
export async function setStatus(
  { state, live }: { state: State; live: Live },
  { issueIds, status, userId, nowMs }: StatusChange,
): Promise<number[]> {
  const changed = await state.transaction(async (trx) => {
    const rows: { id: number; project_id: number }[] = [];
    for (const chunk of chunksOf(
      [...new Set(issueIds)].toSorted((a, b) => a - b),
      500,
    )) {
      const updated = await trx
        .updateTable('issue')
        .set({ status, substatus: substatusOf(status), status_changed_at: nowMs })
        .where('id', 'in', chunk)
        .where('status', '!=', status)
        .where('merged_into', 'is', null)
        .returning(['id', 'project_id'])
        .execute();
      if (!updated.length) continue;
      await trx
        .insertInto('issue_activity')
        .values(
          updated.map(({ id }) => ({
            issue_id: id,
            type: `set_${status}`,
            user_id: userId,
            data: '{}',
            created_at: nowMs,
          })),
        )
        .execute();
      rows.push(...updated);
    }
    return rows;
  });
  for (const [projectId, rows] of Map.groupBy(changed, (row) => row.project_id)) {
    live.publish({ type: 'issues', projectId, issueIds: rows.map((row) => row.id) });
  }
  return changed.map((row) => row.id);
}

const telemetryTables = [
  'errors',
  'error_texts',
  'revisions',
  'issue_hours',
  'issue_days',
  'issue_weeks',
  'issue_lives',
  'outcomes',
  'items',
  'spans',
  'segments',
  'transaction_hours',
  'transaction_days',
  'vital_hours',
  'vital_days',
  'logs',
  'sessions',
  'session_hours',
];

/** Deletes what the events store has of a project; the engine does the work in the background. */
export async function forgetProject(events: Events, projectId: number): Promise<void> {
  for (const table of telemetryTables) {
    await events.command(`ALTER TABLE ${table} DELETE WHERE project_id = {project:UInt64}`, { project: projectId });
  }
}
