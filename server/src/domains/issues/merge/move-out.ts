/** Chosen hashes of an issue become an issue of their own. Merging the two again takes it back. */
import { CodedError } from '../../../base/errors.ts';
import type { Live } from '../../../base/live.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { inProjects, where, withHashes } from '../../../base/sql.ts';
import { lockProject } from '../record.ts';
import type { IssueRow, IssueStores } from '../types.ts';
import { things } from '../../../base/texts/things.ts';
import { changes, merges } from '../../../base/texts/issues.ts';
import { addActivity } from './activity.ts';
import { mergedInto, type StoredIssue } from './follow.ts';
import { type HashFacts, hashFacts, releasesOf } from './hash-facts.ts';
import { moveHashes, type Stretch, stretchOf, writeStretch } from './stretch.ts';

export interface MoveOutRequest {
  readonly issue: IssueRow;
  readonly hashes: readonly string[];
  readonly userId: string;
  /** ms since the epoch. */
  readonly nowMs: number;
}

/** What the new issue is called: the newest event's title and what goes with it. */
interface Face {
  readonly title: string;
  readonly culprit: string;
  readonly level: string;
  readonly platform: string;
  readonly error_type: string;
  readonly error_value: string;
}

/** Id of the new issue, which is unresolved. Throws NOT_FOUND for hashes of others, MERGE_REFUSED where none would stay. */
export async function moveOut(
  stores: IssueStores & { readonly live: Live },
  { issue, hashes: requested, userId, nowMs }: MoveOutRequest,
): Promise<number> {
  const { state, events, live } = stores;
  const hashes = [...new Set(requested)];
  if (!hashes.length) throw new CodedError('INPUT_INVALID', [changes.idNeeded]);
  const owned = await hashesOf(state.db, issue.id);
  const missing = hashes.find((hash) => !owned.includes(hash));
  if (missing !== undefined) throw new CodedError('NOT_FOUND', [things.hash(missing, issue.id)]);
  if (hashes.length === owned.length) throw new CodedError('MERGE_REFUSED', [merges.lastHash]);
  const [facts, face, releases] = await Promise.all([
    hashFacts(stores, issue.projectId, owned),
    faceOf(events, issue.projectId, hashes),
    releasesOf(stores, issue.projectId, hashes),
  ]);
  const staying = owned.filter((hash) => !hashes.includes(hash));
  const left = await releasesOf(stores, issue.projectId, staying);
  const id = await state.transaction(async (trx) => {
    const project = await lockProject(trx, issue.projectId, nowMs);
    const from = await trx.selectFrom('issue').selectAll().where('id', '=', issue.id).executeTakeFirst();
    const now = await hashesOf(trx, issue.id);
    if (!project || !from || from.merged_into !== null || !hashes.every((hash) => now.includes(hash))) {
      throw new CodedError('NOT_FOUND', [things.hashes(issue.id)]);
    }
    const own = { ...stretchOf([], hashes, facts), firstRelease: releases.first, lastRelease: releases.last };
    const stretch = Number.isFinite(own.first) ? own : stretchOf([from], [], facts);
    const created = await insertSplit(trx, { from, face, stretch, number: project.nextIssueNumber, nowMs });
    await moveHashes(trx, issue.projectId, hashes, { from: from.id, to: created.id });
    // They are out of every merge.
    await trx.updateTable('issue_hash').set({ merged_from: null }).where('issue_id', '=', created.id).execute();
    await narrow(trx, from, staying, facts, left.last);
    await addActivity(trx, [from], { type: 'split', issues: [created], hashes: hashes.length, userId, nowMs });
    await addActivity(trx, [created], { type: 'split_from', issues: [from], hashes: hashes.length, userId, nowMs });
    return created.id;
  });
  live.publish({ type: 'issues', projectId: issue.projectId, issueIds: [issue.id, id] });
  return id;
}

async function hashesOf(db: Pick<StateTransaction, 'selectFrom'>, issueId: number): Promise<string[]> {
  const rows = await db.selectFrom('issue_hash').select('hash').where('issue_id', '=', issueId).execute();
  return rows.map((row) => row.hash);
}

async function faceOf(
  events: IssueStores['events'],
  projectId: number,
  hashes: readonly string[],
): Promise<Face | undefined> {
  const scope = where(inProjects([projectId]), withHashes(hashes));
  const [face] = await events.query<Face>(
    `SELECT title, culprit, level, platform, error_type, error_value FROM errors
     WHERE ${scope.sql} ORDER BY timestamp DESC LIMIT 1`,
    scope.params,
  );
  return face;
}

async function insertSplit(
  trx: StateTransaction,
  {
    from,
    face,
    stretch,
    number,
    nowMs,
  }: { from: StoredIssue; face: Face | undefined; stretch: Stretch; number: number; nowMs: number },
): Promise<{ id: number; number: number; title: string }> {
  const metadata = face?.error_type
    ? JSON.stringify({ type: face.error_type, value: face.error_value })
    : from.metadata;
  const created = await trx
    .insertInto('issue')
    .values({
      project_id: from.project_id,
      number,
      status: 'unresolved',
      substatus: 'ongoing',
      level: face?.level ?? from.level,
      title: face?.title ?? from.title,
      culprit: face?.culprit ?? from.culprit,
      platform: face?.platform ?? from.platform,
      type: from.type,
      metadata,
      first_seen: stretch.first,
      last_seen: stretch.last,
      first_release: stretch.firstRelease,
      last_release: stretch.lastRelease,
      status_changed_at: null,
      created_at: nowMs,
    })
    .returning(['id', 'number', 'title'])
    .executeTakeFirstOrThrow();
  await trx
    .updateTable('project')
    .set({ next_issue_number: number + 1 })
    .where('id', '=', from.project_id)
    .execute();
  return created;
}

/** The issue was last seen when what is left of it was; what it was first seen by may be past retention, and stays. */
async function narrow(
  trx: StateTransaction,
  from: StoredIssue,
  staying: readonly string[],
  facts: ReadonlyMap<string, HashFacts>,
  lastRelease: string | null,
): Promise<void> {
  const known = stretchOf([], facts.keys(), facts);
  const left = stretchOf([], staying, facts);
  // Seen a moment ago and not stored yet, or nothing stored: then the times stay.
  if (!Number.isFinite(left.last) || from.last_seen > known.last) return;
  const below = await mergedInto(trx, [from.id]);
  const last = Math.max(left.last, ...below.map((issue) => issue.last_seen));
  const isOldest = known.first <= from.first_seen && left.first > from.first_seen;
  await writeStretch(trx, from.id, {
    first: isOldest ? Math.min(left.first, ...below.map((issue) => issue.first_seen)) : from.first_seen,
    firstRelease: from.first_release,
    last,
    lastRelease: lastRelease ?? from.last_release,
  });
}
