/**
 * What happened to issues. Each entry is written in the transaction that made it happen, so that whoever reads the
 * entries by id (alerts, messages to subscribers) misses nothing and is told of nothing that did not come to pass.
 */
import { chunksOf } from '../../base/chunks.ts';
import type { StateTransaction } from '../../ports/state/state.ts';

export type ActivityType =
  | 'first_seen'
  | 'imported'
  | 'set_resolved'
  | 'set_resolved_in_release'
  | 'set_resolved_by_commit'
  | 'set_unresolved'
  | 'set_regression'
  | 'set_escalating'
  | 'set_ongoing'
  | 'set_archived'
  | 'archived_condition_met'
  | 'assigned'
  | 'unassigned'
  | 'set_priority'
  | 'set_limit'
  | 'note'
  | 'shared'
  | 'unshared'
  | 'deleted'
  | 'views_attached'
  | 'joined'
  | 'merged'
  | 'merged_into'
  | 'unmerged'
  | 'taken_back'
  | 'split'
  | 'split_from';

export interface ActivityEntry {
  readonly issueId: number;
  readonly type: ActivityType;
  /** Who did it; null where nobody did. */
  readonly userId: string | null;
  /** Why, and what it was about. */
  readonly data?: Readonly<Record<string, unknown>>;
  /** ms since the epoch. */
  readonly at: number;
}

/** Returns the ids of the entries, in their order. */
export async function noteActivity(trx: StateTransaction, entries: readonly ActivityEntry[]): Promise<number[]> {
  const ids: number[] = [];
  for (const chunk of chunksOf(entries, 500)) {
    const rows = await trx
      .insertInto('issue_activity')
      .values(
        chunk.map(({ issueId, type, userId, data = {}, at }) => ({
          issue_id: issueId,
          type,
          user_id: userId,
          data: JSON.stringify(data),
          created_at: at,
        })),
      )
      .returning('id')
      .execute();
    ids.push(...rows.map((row) => row.id));
  }
  return ids;
}
