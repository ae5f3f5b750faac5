/**
 * Issues put together by hand. The hashes of the others become those of the one that stays, and each remembers where it
 * came from; no event is rewritten. The others keep their rows, with what they were before, for the merge to be taken back.
 */
import { chunksOf } from '../../../base/chunks.ts';
import { CodedError } from '../../../base/errors.ts';
import type { Live } from '../../../base/live.ts';
import { performanceIssueTypes } from '../../../base/problems/types.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { mergeLimits } from '../limits/index.ts';
import { lockProject } from '../record.ts';
import type { IssueStores } from '../types.ts';
import { settling } from '../states/machine.ts';
import { pickStatus, toStatusColumns } from '../states/transition.ts';
import { merges } from '../../../base/texts/issues.ts';
import { addActivity } from './activity.ts';
import { followMerges, type StoredIssue } from './follow.ts';
import { eventsOf, hashFacts } from './hash-facts.ts';

export interface MergeRequest {
  /** Those that were merged already stand for what has them. */
  readonly issueIds: readonly number[];
  /** Among the issues; that with most events unless given. */
  readonly into?: number | undefined;
  readonly userId: string;
  /** ms since the epoch. */
  readonly nowMs: number;
}

export interface Merged {
  readonly parent: number;
  readonly children: readonly number[];
}

export const maxMerged = 1_000;
/** Queries about an issue name all its hashes, so there must be an end. */
export const maxHashes = 5_000;

const refused = (why: string): CodedError => new CodedError('MERGE_REFUSED', [why]);

/** Throws MERGE_REFUSED with what is in the way. */
export async function mergeIssues(
  stores: IssueStores & { readonly live: Live },
  { issueIds, into, userId, nowMs }: MergeRequest,
): Promise<Merged> {
  const { state, live } = stores;
  if (issueIds.length > maxMerged) throw refused(merges.tooMany(maxMerged));
  const chosen = await readRoots(state.db, issueIds);
  const projectId = projectOf(chosen);
  const wanted = into === undefined ? await busiest(stores, projectId, chosen) : into;
  const merged = await state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, nowMs))) throw refused(merges.projectDeleted);
    // Again, now that nobody else can merge or join them.
    const issues = await readRoots(trx, issueIds);
    const [named] = await readRoots(trx, [wanted]);
    const parent = issues.find((issue) => issue.id === named?.id);
    const children = issues.filter((issue) => issue !== parent);
    if (!parent) throw refused(merges.notInList);
    if (!children.length) throw refused(merges.oneIssue);
    await put(trx, parent, children, { userId, nowMs });
    return { parent: parent.id, children: children.map((issue) => issue.id) };
  });
  live.publish({ type: 'issues', projectId, issueIds: [merged.parent, ...merged.children] });
  return merged;
}

/** Each once, by number, so that equal requests come to equal ends. */
async function readRoots(
  db: Pick<StateTransaction, 'selectFrom'>,
  issueIds: readonly number[],
): Promise<StoredIssue[]> {
  const roots = new Map<number, StoredIssue>();
  for (const chunk of chunksOf(issueIds)) {
    for (const row of await db.selectFrom('issue').selectAll().where('id', 'in', chunk).execute()) {
      const root = await followMerges(db, row);
      roots.set(root.id, root);
    }
  }
  return [...roots.values()].toSorted((a, b) => a.number - b.number);
}

function projectOf(issues: readonly StoredIssue[]): number {
  const [first] = issues;
  if (!first || issues.length < 2) throw refused(merges.twoNeeded);
  if (issues.some((issue) => issue.project_id !== first.project_id)) {
    throw refused(merges.projects);
  }
  const isProblem = (issue: StoredIssue): boolean => performanceIssueTypes.has(issue.type);
  if (issues.some((issue) => isProblem(issue) !== isProblem(first))) {
    throw refused(merges.kinds);
  }
  return first.project_id;
}

async function busiest(stores: IssueStores, projectId: number, issues: readonly StoredIssue[]): Promise<number> {
  const hashes = new Map<number, string[]>(issues.map((issue) => [issue.id, []]));
  for (const chunk of chunksOf([...hashes.keys()])) {
    const rows = await stores.state.db
      .selectFrom('issue_hash')
      .select(['issue_id', 'hash'])
      .where('issue_id', 'in', chunk)
      .execute();
    for (const { issue_id, hash } of rows) hashes.get(issue_id)?.push(hash);
  }
  const facts = await hashFacts(stores, projectId, [...hashes.values()].flat());
  let best = { id: 0, events: -1 };
  for (const [id, own] of hashes) {
    const events = eventsOf(facts, own);
    if (events > best.events) best = { id, events };
  }
  return best.id;
}

async function put(
  trx: StateTransaction,
  parent: StoredIssue,
  children: readonly StoredIssue[],
  { userId, nowMs }: Pick<MergeRequest, 'userId' | 'nowMs'>,
): Promise<void> {
  const ids = children.map((child) => child.id);
  await checkRoom(trx, [parent.id, ...ids]);
  await trx
    .insertInto('issue_own')
    .values({
      issue_id: parent.id,
      first_seen: parent.first_seen,
      last_seen: parent.last_seen,
      first_release: parent.first_release,
      last_release: parent.last_release,
    })
    .onConflict((conflict) => conflict.column('issue_id').doNothing())
    .execute();
  // What is resolved may not swallow what goes on unseen.
  const reopens = parent.status === 'resolved' && children.some((child) => child.status === 'unresolved');
  const reopened = reopens ? JSON.stringify(pickStatus(parent)) : '';
  for (const chunk of chunksOf(children, 100)) {
    await trx
      .insertInto('issue_merge')
      .values(
        chunk.map((child) => ({
          child_id: child.id,
          project_id: child.project_id,
          parent_id: parent.id,
          status: child.status,
          substatus: child.substatus,
          status_changed_at: child.status_changed_at,
          reopened: child.status === 'unresolved' ? reopened : '',
          user_id: userId,
          merged_at: nowMs,
        })),
      )
      .execute();
    const chunkIds = chunk.map((child) => child.id);
    await trx
      .updateTable('issue_hash')
      .set((eb) => ({ merged_from: eb.fn.coalesce('merged_from', 'issue_id'), issue_id: parent.id }))
      .where('issue_id', 'in', chunkIds)
      .execute();
    await trx.updateTable('twin').set({ issue_id: parent.id }).where('issue_id', 'in', chunkIds).execute();
    await trx
      .updateTable('issue')
      .set({ status: 'merged', merged_into: parent.id })
      .where((eb) => eb.or([eb('id', 'in', chunkIds), eb('merged_into', 'in', chunkIds)]))
      .execute();
  }
  await mergeLimits(trx, parent.id, ids, nowMs);
  const all = [parent, ...children];
  const earliest = all.reduce((a, b) => (b.first_seen < a.first_seen ? b : a));
  const latest = all.reduce((a, b) => (b.last_seen > a.last_seen ? b : a));
  await trx
    .updateTable('issue')
    .set({
      first_seen: earliest.first_seen,
      first_release: earliest.first_release,
      last_seen: latest.last_seen,
      last_release: latest.last_release,
      ...(reopens ? toStatusColumns('ongoing', nowMs) : settling(parent, earliest.first_seen)),
    })
    .where('id', '=', parent.id)
    .execute();
  await addActivity(trx, [parent], { type: 'merged', issues: children, userId, nowMs });
  await addActivity(trx, children, { type: 'merged_into', issues: [parent], userId, nowMs });
}

async function checkRoom(trx: StateTransaction, issueIds: readonly number[]): Promise<void> {
  let owned = 0;
  for (const chunk of chunksOf(issueIds)) {
    const { n } = await trx
      .selectFrom('issue_hash')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('issue_id', 'in', chunk)
      .executeTakeFirstOrThrow();
    owned += Number(n);
  }
  if (owned > maxHashes) {
    throw refused(merges.tooManyHashes(owned, maxHashes));
  }
}
