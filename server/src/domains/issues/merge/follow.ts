/**
 * From merged issues to those that have them, and back. `merged_into` names the one that stands for itself, whatever was
 * merged into what; the steps on the way are in `issue_merge`, for each to be taken back.
 */
import type { Selectable } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import type { IssueTable } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';

type Reader = Pick<StateTransaction, 'selectFrom'>;
export type StoredIssue = Selectable<IssueTable>;

/** The issue itself unless it was merged. */
export async function followMerges(db: Reader, issue: StoredIssue): Promise<StoredIssue> {
  if (issue.merged_into === null) return issue;
  const root = await db.selectFrom('issue').selectAll().where('id', '=', issue.merged_into).executeTakeFirst();
  return root ?? issue;
}

/** Everything that leads to the issues, also by way of others; without the issues themselves. */
export async function mergedInto(db: Reader, issueIds: readonly number[]): Promise<StoredIssue[]> {
  const found: StoredIssue[] = [];
  for (const chunk of chunksOf(issueIds)) {
    found.push(...(await db.selectFrom('issue').selectAll().where('merged_into', 'in', chunk).execute()));
  }
  return found;
}
