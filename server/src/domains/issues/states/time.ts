/** What time alone does: archived for a time ends, and what is new, came back or grew becomes what goes on. */
import type { State } from '../../../ports/state/state.ts';
import { parseDetails } from './details.ts';
import { machine, stateOf } from './machine.ts';
import { type Changed, type Move, transition } from './transition.ts';

/** Issues of one transaction. */
const atOnce = 500;

/** Moves at most 500 issues, those that are due longest first. `nowMs`: ms since the epoch. */
export async function moveByTime(state: State, nowMs: number): Promise<{ changed: Changed[]; more: boolean }> {
  const due = await dueIssues(state, nowMs);
  if (!due.length) return { changed: [], more: false };
  const changed = await state.transaction((trx) => transition(trx, due.flatMap(moveOf), { userId: null, nowMs }));
  const moved = new Set(changed.map((one) => one.id));
  const stuck = due.filter((issue) => !moved.has(issue.id)).map((issue) => issue.id);
  // Another node moved it, nothing follows from its state, or it was merged: then it is due when that is taken back.
  if (stuck.length) {
    await state.db
      .updateTable('issue')
      .set({ moves_at: null })
      .where('id', 'in', stuck)
      .where('moves_at', '<=', nowMs)
      .execute();
  }
  return { changed, more: due.length === atOnce };
}

const dueIssues = (state: State, nowMs: number) =>
  state.db
    .selectFrom('issue')
    .select(['id', 'status', 'substatus', 'status_details', 'status_changed_at'])
    .where('moves_at', '<=', nowMs)
    .where('status', '!=', 'deleting')
    .orderBy('moves_at')
    .limit(atOnce)
    .execute();

type Due = Awaited<ReturnType<typeof dueIssues>>[number];

function moveOf({ id, status, substatus, status_details, status_changed_at: since }: Due): Move[] {
  if (status === 'merged' || status === 'deleting') return [];
  const state = stateOf({ status, substatus });
  if (machine[state].wait_over === 'ignored') return [{ issueId: id, trigger: 'settled', since }];
  const { until, ignoreDuration } = parseDetails(status_details);
  const data = { ignoreDuration, until };
  return [{ issueId: id, trigger: 'wait_over', data, since }];
}
