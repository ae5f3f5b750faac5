/** From merged issues to those that have them, and back. A chain cannot be a ring: only who is not merged takes others in. */
import type { Selectable } from 'kysely';
import type { IssueTable } from '../../state/schema.ts';
import type { StateTransaction } from '../../state/state.ts';
import { chunksOf } from '../queries/rows.ts';

type Reader = Pick<StateTransaction, 'selectFrom'>;
export type StoredIssue = Selectable<IssueTable>;

/** The issue itself unless it was merged. */
export async function followMerges(db: Reader, issue: StoredIssue): Promise<StoredIssue> {
  let found = issue;
  while (found.merged_into !== null) {
    const next = await db.selectFrom('issue').selectAll().where('id', '=', found.merged_into).executeTakeFirst();
    if (!next) return found;
    found = next;
  }
  return found;
}

/** Everything that was merged into the issues, and into that; without the issues themselves. */
export async function mergedInto(db: Reader, issueIds: readonly number[]): Promise<StoredIssue[]> {
  const found: StoredIssue[] = [];
  for (let level = issueIds; level.length;) {
    const next: StoredIssue[] = [];
    for (const chunk of chunksOf(level)) {
      next.push(...(await db.selectFrom('issue').selectAll().where('merged_into', 'in', chunk).execute()));
    }
    found.push(...next);
    level = next.map((one) => one.id);
  }
  return found;
}
