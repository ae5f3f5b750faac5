/**
 * The one place that moves issues from state to state: asks the machine, writes what it says and why, all in the
 * caller's transaction. What was decided by an earlier look at an issue holds only while the issue is as it was.
 */
import type { Selectable } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { IssueTable } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { type ActivityEntry, noteActivity } from '../activity.ts';
import { parseDetails, type StatusDetails } from './details.ts';
import { activityOfTrigger, type IssueState, movesAt, next, standingOf, stateOf, type Trigger } from './machine.ts';

/** The columns of an issue that are its status. */
export type StatusColumns = Pick<
  Selectable<IssueTable>,
  'status' | 'substatus' | 'status_details' | 'status_changed_at' | 'moves_at'
>;

export const statusColumns = ['status', 'substatus', 'status_details', 'status_changed_at', 'moves_at'] as const;

/** In one order, whoever made it. */
export const pickStatus = (row: StatusColumns): StatusColumns => ({
  status: row.status,
  substatus: row.substatus,
  status_details: row.status_details,
  status_changed_at: row.status_changed_at,
  moves_at: row.moves_at,
});

/** As the columns of an issue say that it is in a state from now on. */
export const toStatusColumns = (state: IssueState, nowMs: number, details: StatusDetails = {}): StatusColumns => ({
  ...standingOf(state),
  status_details: JSON.stringify(details),
  status_changed_at: nowMs,
  moves_at: movesAt(state, nowMs, details.until),
});

export interface Move {
  readonly issueId: number;
  readonly trigger: Trigger;
  /** Of the state that it comes to. */
  readonly details?: StatusDetails | undefined;
  /** For the activity: why. */
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  /** Only if its status is still from then; ms since the epoch, null for the status it began with. */
  readonly since?: number | null | undefined;
}

export interface Changed {
  readonly id: number;
  readonly projectId: number;
  readonly from: IssueState;
  readonly to: IssueState;
  readonly before: StatusColumns;
}

interface By {
  readonly userId: string | null;
  /** ms since the epoch. */
  readonly nowMs: number;
}

/** Each issue once. Returns those that are in another state now, or in the same with other details. */
export async function transition(
  trx: StateTransaction,
  moves: readonly Move[],
  { userId, nowMs }: By,
): Promise<Changed[]> {
  const changed: Changed[] = [];
  const byId = new Map(moves.map((move) => [move.issueId, move]));
  const ids = [...byId.keys()].toSorted((a, b) => a - b);
  for (const chunk of chunksOf(ids, 500)) {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'project_id', ...statusColumns])
      .where('id', 'in', chunk)
      .where('status', 'in', ['unresolved', 'resolved', 'archived'])
      .where('merged_into', 'is', null)
      .orderBy('id')
      .execute();
    const planned = rows.flatMap((row) => {
      const move = byId.get(row.id);
      const step = move && stepOf(row, move, userId, nowMs);
      return move && step ? [{ row, move, ...step }] : [];
    });
    const key = ({ from, columns }: (typeof planned)[number]): string => JSON.stringify([from, columns]);
    const entries: ActivityEntry[] = [];
    for (const group of Map.groupBy(planned, key).values()) {
      const [first] = group;
      if (!first) continue;
      const { status, substatus } = first.row;
      // Where another node was faster, the row is not as it was read, and stays.
      const updated = await trx
        .updateTable('issue')
        .set(first.columns)
        .where(
          'id',
          'in',
          group.map(({ row }) => row.id),
        )
        .where('status', '=', status)
        .where((eb) => (substatus === null ? eb('substatus', 'is', null) : eb('substatus', '=', substatus)))
        .returning('id')
        .execute();
      const done = new Set(updated.map((row) => row.id));
      for (const { row, move, from, to } of group) {
        if (!done.has(row.id)) continue;
        const { id, project_id: projectId, ...before } = row;
        changed.push({ id, projectId, from, to, before });
        entries.push({
          issueId: id,
          type: activityOfTrigger[move.trigger],
          userId,
          data: { ...move.data, from, to },
          at: nowMs,
        });
      }
    }
    await noteActivity(trx, entries);
  }
  return changed;
}

function stepOf(
  row: StatusColumns,
  { trigger, details = {}, since }: Move,
  userId: string | null,
  nowMs: number,
): { from: IssueState; to: IssueState; columns: StatusColumns } | undefined {
  if (row.status === 'merged' || row.status === 'deleting') return undefined;
  if (since !== undefined && since !== row.status_changed_at) return undefined;
  const from = stateOf({ status: row.status, substatus: row.substatus });
  const to = next(from, trigger);
  if (to === 'ignored') return undefined;
  const columns = toStatusColumns(to, nowMs, { ...details, ...(userId !== null && { by: userId }) });
  if (from === to && sameDetails(row.status_details, columns.status_details)) return undefined;
  return { from, to, columns };
}

/** Whoever said it first has said it. */
function sameDetails(a: string, b: string): boolean {
  const [one, other] = [parseDetails(a), parseDetails(b)];
  return JSON.stringify({ ...one, by: undefined }) === JSON.stringify({ ...other, by: undefined });
}
