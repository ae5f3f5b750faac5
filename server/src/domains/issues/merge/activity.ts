/** What merging leaves in the activity of issues. */
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { StoredIssue } from './follow.ts';

export interface MergeActivity {
  readonly type: 'merged' | 'merged_into' | 'unmerged' | 'taken_back' | 'split' | 'split_from';
  /** The issues at the other end. */
  readonly issues: readonly Pick<StoredIssue, 'id' | 'number' | 'title'>[];
  /** How many hashes moved, where it was a number of them. */
  readonly hashes?: number;
  readonly userId: string;
  /** ms since the epoch. */
  readonly nowMs: number;
}

/** Issues that an entry names; the rest is a number. */
const maxNamed = 20;

export async function addActivity(
  trx: StateTransaction,
  to: readonly Pick<StoredIssue, 'id'>[],
  { type, issues, hashes, userId, nowMs }: MergeActivity,
): Promise<void> {
  const data = JSON.stringify({
    count: issues.length,
    issues: issues.slice(0, maxNamed).map(({ id, number, title }) => ({ id: String(id), number, title })),
    ...(hashes !== undefined && { hashes }),
  });
  for (const chunk of chunksOf(to, 500)) {
    await trx
      .insertInto('issue_activity')
      .values(chunk.map(({ id }) => ({ issue_id: id, type, user_id: userId, data, created_at: nowMs })))
      .execute();
  }
}
