/** Which issues were merged into one, and by whom. */
import { chunksOf } from '../../../base/chunks.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import { toIssueRow } from '../rows.ts';
import type { IssueRow, IssueStores, VisibleProject } from '../types.ts';
import { mergedInto, type StoredIssue } from './follow.ts';
import { eventsOf, hashFacts } from './hash-facts.ts';

export interface IssueMerge {
  readonly issue: IssueRow;
  /** ms since the epoch. */
  readonly mergedAt: number;
  readonly by: { readonly id: string; readonly name: string; readonly email: string } | null;
  /** That it brought and that are still here. */
  readonly hashes: readonly string[];
  readonly events: number;
}

/** The last merged first; also what was merged into what was merged. */
export async function listMerges(
  stores: IssueStores,
  issue: Pick<IssueRow, 'id' | 'projectId'>,
): Promise<IssueMerge[]> {
  const { db } = stores.state;
  const below = await mergedInto(db, [issue.id]);
  if (!below.length) return [];
  const brought = await db
    .selectFrom('issue_hash')
    .select(['hash', 'merged_from'])
    .where('issue_id', '=', issue.id)
    .where('merged_from', 'is not', null)
    .execute();
  const facts = await hashFacts(
    stores,
    issue.projectId,
    brought.map((row) => row.hash),
  );
  const hashes = Map.groupBy(brought, (row) => row.merged_from);
  const made = await mergesOf(db, below);
  return below
    .flatMap((row) => {
      const merge = made.get(row.id);
      if (!merge) return [];
      const own = (hashes.get(row.id) ?? []).map((one) => one.hash);
      return [{ issue: toIssueRow(row), ...merge, hashes: own, events: eventsOf(facts, own) }];
    })
    .toSorted((a, b) => b.mergedAt - a.mergedAt || a.issue.number - b.issue.number)
    .slice(0, 1_000);
}

async function mergesOf(
  db: State['db'],
  issues: readonly StoredIssue[],
): Promise<ReadonlyMap<number, Pick<IssueMerge, 'mergedAt' | 'by'>>> {
  const made = new Map<number, Pick<IssueMerge, 'mergedAt' | 'by'>>();
  for (const chunk of chunksOf(issues)) {
    const rows = await db
      .selectFrom('issue_merge')
      .leftJoin('user', 'user.id', 'issue_merge.user_id')
      .select(['issue_merge.child_id', 'issue_merge.merged_at', 'user.id', 'user.name', 'user.email'])
      .where(
        'issue_merge.child_id',
        'in',
        chunk.map((issue) => issue.id),
      )
      .execute();
    for (const { child_id, merged_at, id, name, email } of rows) {
      const by = id === null ? null : { id, name: name ?? '', email: email ?? '' };
      made.set(child_id, { mergedAt: merged_at, by });
    }
  }
  return made;
}

/** The issue of exactly this id or short id, merged or not, within the project; undefined for none. */
export async function findExactly(
  db: Pick<StateTransaction, 'selectFrom'>,
  idOrShortId: string,
  project: VisibleProject,
): Promise<(IssueRow & { readonly isMerged: boolean }) | undefined> {
  const query = db.selectFrom('issue').selectAll().where('project_id', '=', project.id);
  const [, prefix, digits] = /^(.+)-(\d{1,9})$/.exec(idOrShortId) ?? [];
  const isShortId = prefix?.toUpperCase() === project.shortIdPrefix.toUpperCase();
  if (!isShortId && !/^\d{1,9}$/.test(idOrShortId)) return undefined;
  const row = await (
    isShortId ? query.where('number', '=', Number(digits)) : query.where('id', '=', Number(idOrShortId))
  ).executeTakeFirst();
  return row && { ...toIssueRow(row), isMerged: row.merged_into !== null };
}
