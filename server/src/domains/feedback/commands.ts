/** What people do with feedback. */
import { noteChanges } from '../../ports/state/change-notes.ts';
import type { State } from '../../ports/state/state.ts';
import type { FeedbackStatus } from './types.ts';

/** Returns those whose status is another now, with the one that they had. */
export async function setFeedbackStatus(
  state: State,
  projectIds: readonly number[],
  ids: readonly number[],
  {
    status,
    userId,
    nowMs,
  }: { readonly status: FeedbackStatus; readonly userId: string | null; readonly nowMs: number },
): Promise<{ id: number; before: FeedbackStatus }[]> {
  if (!ids.length || !projectIds.length) return [];
  return state.transaction(async (trx) => {
    const rows = await trx
      .selectFrom('feedback')
      .select(['id', 'status as before'])
      .where('id', 'in', [...ids])
      .where('project_id', 'in', [...projectIds])
      .where('status', '!=', status)
      .orderBy('id')
      .execute();
    if (rows.length) {
      await trx
        .updateTable('feedback')
        .set({ status })
        .where(
          'id',
          'in',
          rows.map(({ id }) => id),
        )
        .execute();
      const what = 'feedback.updated';
      await noteChanges(
        trx,
        rows.map(({ id }) => ({ what, targetId: id, userId, data: { status }, at: nowMs })),
      );
    }
    return rows;
  });
}

/** False where there is none such. The item that it came as goes with retention. */
export async function deleteFeedback(state: State, projectIds: readonly number[], id: number): Promise<boolean> {
  if (!projectIds.length) return false;
  const { numDeletedRows } = await state.db
    .deleteFrom('feedback')
    .where('id', '=', id)
    .where('project_id', 'in', [...projectIds])
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Rows go when what they were read from is past retention. */
/** Not of projects on hold. */
export async function deleteOldFeedback(state: State, beforeMs: number): Promise<void> {
  await state.db
    .deleteFrom('feedback')
    .where('received_at', '<', beforeMs)
    .where('project_id', 'not in', (eb) => eb.selectFrom('project_hold').select('project_id'))
    .execute();
}
