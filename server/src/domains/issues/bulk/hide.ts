/** Issues that are about to be deleted are seen nowhere; until they are, they can be had back. */
import { chunksOf } from '../../../base/chunks.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { StoredIssueStatus } from '../../../ports/state/schema.ts';

const seen = ['unresolved', 'resolved', 'archived'] as const;

/** The status that each had of those that are hidden now. */
export async function hideIn(
  trx: StateTransaction,
  issueIds: readonly number[],
): Promise<Map<number, StoredIssueStatus>> {
  const hidden = new Map<number, StoredIssueStatus>();
  for (const chunk of chunksOf(issueIds, 500)) {
    const rows = await trx
      .selectFrom('issue')
      .select(['id', 'status'])
      .where('id', 'in', chunk)
      .where('status', 'in', seen)
      .execute();
    if (!rows.length) continue;
    const ids = rows.map(({ id }) => id);
    await trx.updateTable('issue').set({ status: 'deleting' }).where('id', 'in', ids).execute();
    for (const { id, status } of rows) hidden.set(id, status);
  }
  return hidden;
}

/** They have the status again that they had. */
export async function showIn(trx: StateTransaction, hidden: ReadonlyMap<number, StoredIssueStatus>): Promise<void> {
  for (const [status, same] of Map.groupBy(hidden, ([, one]) => one)) {
    await trx
      .updateTable('issue')
      .set({ status })
      .where(
        'id',
        'in',
        same.map(([id]) => id),
      )
      .where('status', '=', 'deleting')
      .execute();
  }
}
