/** The secret link under which anybody may read an issue. */
import { randomBytes } from 'node:crypto';
import { chunksOf } from '../../../base/chunks.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { noteActivity } from '../activity.ts';
import { toIssueRow } from '../rows.ts';
import type { IssueRow } from '../types.ts';
import type { Doing } from './types.ts';

/** A link that is taken back never works again: sharing anew makes another. Ids of the issues that are different now. */
export async function shareIn(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  on: boolean,
): Promise<number[]> {
  const changed: number[] = [];
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = on
      ? await trx
          .insertInto('issue_share')
          .values(
            chunk.map((id) => ({
              issue_id: id,
              share_id: randomBytes(16).toString('hex'),
              user_id: userId,
              created_at: nowMs,
            })),
          )
          .onConflict((conflict) => conflict.column('issue_id').doNothing())
          .returning('issue_id')
          .execute()
      : await trx.deleteFrom('issue_share').where('issue_id', 'in', chunk).returning('issue_id').execute();
    if (!rows.length) continue;
    await noteActivity(
      trx,
      rows.map((row) => ({ issueId: row.issue_id, type: on ? 'shared' : 'unshared', userId, at: nowMs })),
    );
    changed.push(...rows.map((row) => row.issue_id));
  }
  return changed;
}

/** Undefined for a link that is not, or no more. */
export async function findShared(state: State, shareId: string): Promise<IssueRow | undefined> {
  if (!/^[0-9a-f]{32}$/.test(shareId)) return undefined;
  const row = await state.db
    .selectFrom('issue_share')
    .innerJoin('issue', 'issue.id', 'issue_share.issue_id')
    .selectAll('issue')
    .where('share_id', '=', shareId)
    .where('issue.status', 'not in', ['merged', 'deleting'])
    .executeTakeFirst();
  return row && toIssueRow(row);
}
