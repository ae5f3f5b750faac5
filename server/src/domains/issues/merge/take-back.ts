/**
 * Merges taken back: an issue gets its hashes, and so its events, with what came for them meanwhile; its status is what
 * it was, unless it was resolved and has been seen since. What is left of the other is what it would be without it.
 */
import { chunksOf } from '../../../base/chunks.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Live } from '../../../base/live.ts';
import type { IssueStatus } from '../../../ports/state/schema.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { takeBackLimits } from '../limits/index.ts';
import { lockProject } from '../record.ts';
import type { IssueRow, IssueStores } from '../types.ts';
import { parseDetails } from '../states/details.ts';
import { movesAt, stateOf } from '../states/machine.ts';
import { type StatusColumns, toStatusColumns } from '../states/transition.ts';
import { things } from '../../../base/texts/things.ts';
import { addActivity } from './activity.ts';
import { mergedInto, type StoredIssue } from './follow.ts';
import { type HashFacts, hashFacts, releasesOf } from './hash-facts.ts';
import { moveHashes, type Stretch, stretchOf, toColumns, together, writeStretch } from './stretch.ts';

export interface TakeBackRequest {
  /** The issue that has the others. */
  readonly parent: Pick<IssueRow, 'id' | 'projectId'>;
  readonly childIds: readonly number[];
  readonly userId: string;
  /** ms since the epoch. */
  readonly nowMs: number;
}

/** Ids of the issues that stand for themselves again. Throws NOT_FOUND for one that was not merged into the parent. */
export async function takeBack(
  stores: IssueStores & { readonly live: Live },
  { parent, childIds, userId, nowMs }: TakeBackRequest,
): Promise<readonly number[]> {
  const { projectId } = parent;
  const facts = await factsOf(stores, parent);
  const wanted = new Set(childIds);
  await stores.state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, nowMs))) throw new CodedError('NOT_FOUND', [things.issue(parent.id)]);
    const root = await trx.selectFrom('issue').selectAll().where('id', '=', parent.id).executeTakeFirst();
    const below = await mergedInto(trx, [parent.id]);
    const children = below.filter((issue) => wanted.has(issue.id));
    if (!root || root.merged_into !== null || children.length < wanted.size) {
      const missing = [...wanted].find((id) => !children.some((child) => child.id === id)) ?? parent.id;
      throw new CodedError('NOT_FOUND', [things.merge(missing, parent.id)]);
    }
    const brought = await broughtBy(trx, root.id);
    const families = await familiesOf(trx, children, below);
    for (const child of children) {
      const family = families.get(child.id) ?? [child];
      const hashes = family.flatMap(({ id }) => brought.get(id) ?? []);
      await release(trx, { root, child, family, hashes }, facts, nowMs);
    }
    await restoreParent(trx, root, below, facts);
    await takeBackLimits(trx, root.id, [...wanted]);
    await addActivity(trx, [root], { type: 'unmerged', issues: children, userId, nowMs });
    await addActivity(trx, children, { type: 'taken_back', issues: [root], userId, nowMs });
  });
  await refineReleases(stores, projectId, [parent.id, ...wanted], nowMs);
  stores.live.publish({ type: 'issues', projectId, issueIds: [parent.id, ...wanted] });
  return [...wanted];
}

async function factsOf(
  stores: IssueStores,
  { id, projectId }: TakeBackRequest['parent'],
): Promise<ReadonlyMap<string, HashFacts>> {
  const rows = await stores.state.db.selectFrom('issue_hash').select('hash').where('issue_id', '=', id).execute();
  const hashes = rows.map((row) => row.hash);
  return hashFacts(stores, projectId, hashes);
}

/** Hashes of the issue by the one that brought them. */
async function broughtBy(trx: StateTransaction, rootId: number): Promise<Map<number, string[]>> {
  const rows = await trx
    .selectFrom('issue_hash')
    .select(['hash', 'merged_from'])
    .where('issue_id', '=', rootId)
    .where('merged_from', 'is not', null)
    .execute();
  const brought = new Map<number, string[]>();
  for (const { hash, merged_from } of rows) {
    if (merged_from === null) continue;
    const hashes = brought.get(merged_from) ?? [];
    hashes.push(hash);
    brought.set(merged_from, hashes);
  }
  return brought;
}

/** Each with what was merged into it before and does not come back for itself. */
async function familiesOf(
  trx: StateTransaction,
  children: readonly StoredIssue[],
  below: readonly StoredIssue[],
): Promise<ReadonlyMap<number, StoredIssue[]>> {
  const families = new Map<number, StoredIssue[]>(children.map((child) => [child.id, [child]]));
  const parents = new Map<number, number>();
  for (const chunk of chunksOf(below)) {
    const ids = chunk.map(({ id }) => id);
    const rows = await trx
      .selectFrom('issue_merge')
      .select(['child_id', 'parent_id'])
      .where('child_id', 'in', ids)
      .execute();
    for (const { child_id, parent_id } of rows) parents.set(child_id, parent_id);
  }
  for (const issue of below) {
    if (families.has(issue.id)) continue;
    let at = parents.get(issue.id);
    while (at !== undefined && !families.has(at)) at = parents.get(at);
    if (at !== undefined) families.get(at)?.push(issue);
  }
  return families;
}

interface Release {
  readonly root: StoredIssue;
  readonly child: StoredIssue;
  /** The child and what was merged into it before. */
  readonly family: readonly StoredIssue[];
  readonly hashes: readonly string[];
}

async function release(
  trx: StateTransaction,
  { root, child, family, hashes }: Release,
  facts: ReadonlyMap<string, HashFacts>,
  nowMs: number,
): Promise<void> {
  const before = await trx
    .deleteFrom('issue_merge')
    .where('child_id', '=', child.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await moveHashes(trx, child.project_id, hashes, { from: root.id, to: child.id });
  const rest = family.filter((issue) => issue !== child);
  const own = stretchOf([(await ownOf(trx, child.id, rest.length > 0)) ?? child, ...rest], hashes, facts);
  // What is resolved by a release waits for the next event to say which release it is of.
  const isBack =
    before.status === 'resolved' &&
    before.substatus === null &&
    own.last > Math.max(before.status_changed_at ?? 0, before.merged_at);
  await trx
    .updateTable('issue')
    .set({
      merged_into: null,
      ...toColumns(own),
      ...(isBack
        ? toStatusColumns('regressed', nowMs)
        : {
            status: before.status as StoredIssue['status'],
            substatus: before.substatus,
            status_changed_at: before.status_changed_at,
            moves_at: nextMoveOf({ ...child, ...before, first_seen: own.first }),
          }),
    })
    .where('id', '=', child.id)
    .execute();
  for (const chunk of chunksOf(rest)) {
    const ids = chunk.map(({ id }) => id);
    await trx.updateTable('issue').set({ merged_into: child.id }).where('id', 'in', ids).execute();
  }
  await closeAgain(trx, root, before);
}

/** Time may have passed while it was merged. */
function nextMoveOf(issue: Unmerged): number | null {
  const { status, substatus, status_details, status_changed_at, created_at, first_seen } = issue;
  const state = stateOf({ status: status as IssueStatus, substatus });
  const since = state === 'new' ? Math.min(first_seen, created_at) : (status_changed_at ?? created_at);
  return movesAt(state, since, parseDetails(status_details).until);
}

type Unmerged = Pick<
  StoredIssue,
  'substatus' | 'status_details' | 'status_changed_at' | 'created_at' | 'first_seen'
> & {
  readonly status: string;
};

/** The merge had opened the parent again; without what is open in it, it is what it was, unless somebody decided since. */
async function closeAgain(
  trx: StateTransaction,
  root: StoredIssue,
  { reopened, merged_at, parent_id }: { reopened: string; merged_at: number; parent_id: number },
): Promise<void> {
  if (reopened === '' || parent_id !== root.id || root.status_changed_at !== merged_at) return;
  const other = await trx
    .selectFrom('issue_merge')
    .select('child_id')
    .where('parent_id', '=', root.id)
    .where('reopened', '!=', '')
    .limit(1)
    .executeTakeFirst();
  if (other) return;
  const before = JSON.parse(reopened) as StatusColumns;
  await trx.updateTable('issue').set(before).where('id', '=', root.id).execute();
}

/** What the issue was before others were merged into it; forgotten where no others are left. */
async function ownOf(trx: StateTransaction, issueId: number, hasOthers: boolean) {
  const own = await trx.selectFrom('issue_own').selectAll().where('issue_id', '=', issueId).executeTakeFirst();
  if (own && !hasOthers) await trx.deleteFrom('issue_own').where('issue_id', '=', issueId).execute();
  return own;
}

async function restoreParent(
  trx: StateTransaction,
  root: StoredIssue,
  before: readonly StoredIssue[],
  facts: ReadonlyMap<string, HashFacts>,
): Promise<void> {
  const left = await mergedInto(trx, [root.id]);
  const own = await ownOf(trx, root.id, left.length > 0);
  const rows = await trx.selectFrom('issue_hash').select('hash').where('issue_id', '=', root.id).execute();
  const hashes = rows.map((row) => row.hash);
  const known = stretchOf([...before, ...(own ? [own] : [])], facts.keys(), facts);
  // What was seen a moment ago may not be stored yet, and then nobody can say whose it was.
  const unknown: Stretch[] = root.last_seen > known.last ? [{ ...stretchOf([root], [], facts), first: Infinity }] : [];
  await writeStretch(trx, root.id, together([stretchOf([...left, own ?? root], hashes, facts), ...unknown]));
}

/** Which release came first and last is told by the events alone; what is past retention keeps what was known. */
async function refineReleases(
  stores: IssueStores,
  projectId: number,
  issueIds: readonly number[],
  nowMs: number,
): Promise<void> {
  for (const id of issueIds.slice(0, 50)) {
    const rows = await stores.state.db.selectFrom('issue_hash').select('hash').where('issue_id', '=', id).execute();
    const { last } = await releasesOf(
      stores,
      projectId,
      rows.map((row) => row.hash),
    );
    if (last === null) continue;
    await stores.state.transaction(async (trx) => {
      if (!(await lockProject(trx, projectId, nowMs))) return;
      await trx.updateTable('issue').set({ last_release: last }).where('id', '=', id).execute();
    });
  }
}
