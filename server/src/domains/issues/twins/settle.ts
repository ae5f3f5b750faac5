/** Moves waiting views to the issue of their server event once it is there. */
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { RecordedProject } from '../record.ts';
import { lockProject } from '../record.ts';
import { findOwners } from '../record/hashes.ts';
import { updateSeen } from '../record/issue-rows.ts';
import { toStatusColumns } from '../states/transition.ts';
import { hashesOf } from '../queries/issue.ts';
import { inProjects, where, withHashes } from '../../../base/sql.ts';
import type { IssueStores } from '../types.ts';
import { indexServerEvents, type ServerEvents } from './choose.ts';
import { findServerEvents, type ServerEvent } from './lookup.ts';
import { maxTwinHashes, twinHashesOf } from './room.ts';
import { type TwinRow, projectsWithWaiting, setTwinState, waitingFor } from './twin-rows.ts';

interface Move {
  readonly hash: string;
  readonly from: number;
  readonly to: number;
  readonly rows: readonly TwinRow[];
}

/** After the rows of these server events are stored; asks nothing more of projects in which no view waits. */
export async function settleArrivals(
  stores: IssueStores,
  arrivals: ReadonlyMap<number, readonly ServerEvent[]>,
  now: number,
): Promise<readonly RecordedProject[]> {
  if (!arrivals.size) return [];
  const settled: RecordedProject[] = [];
  for (const projectId of await projectsWithWaiting(stores.state.db, [...arrivals.keys()])) {
    const events = arrivals.get(projectId) ?? [];
    const waiting = await waitingFor(stores.state.db, projectId, events);
    if (waiting.length)
      settled.push(...(await moveAndClose(stores, projectId, waiting, indexServerEvents(events), now)));
  }
  return settled;
}

/** Looks for the server events of views that wait. */
export async function settleAndClose(
  stores: IssueStores,
  projectId: number,
  waiting: readonly TwinRow[],
  now: number,
): Promise<readonly RecordedProject[]> {
  if (!waiting.length) return [];
  const found = await findServerEvents(stores.events, projectId, waiting.map(viewOf));
  return found.length ? moveAndClose(stores, projectId, waiting, indexServerEvents(found), now) : [];
}

const viewOf = (row: TwinRow) => ({ digest: row.digest, traceId: row.trace_id, transaction: '', at: row.last_seen });

async function moveAndClose(
  stores: IssueStores,
  projectId: number,
  waiting: readonly TwinRow[],
  causes: ServerEvents,
  now: number,
): Promise<readonly RecordedProject[]> {
  const moves = await stores.state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, now))) return [];
    // Again, now that no other writer can settle them.
    const still = await waitingFor(trx, projectId, waiting.map(viewOf));
    return move(trx, projectId, still, causes, now);
  });
  if (!moves.length) return [];
  for (const issueId of new Set(moves.map(({ from }) => from))) await closeEmptied(stores, projectId, issueId, now);
  const issueIds = [...new Set(moves.flatMap(({ from, to }) => [from, to]))];
  return [{ projectId, issueIds, newIssueIds: [], count: 0, first: false, movedIssueIds: issueIds }];
}

async function move(
  trx: StateTransaction,
  projectId: number,
  waiting: readonly TwinRow[],
  causes: ServerEvents,
  now: number,
): Promise<Move[]> {
  const causeOf = new Map<string, string>();
  for (const row of waiting) {
    const cause = causes.causeOf(viewOf(row))?.groupHash;
    if (cause !== undefined) causeOf.set(row.group_hash, cause);
  }
  const owners = await findOwners(trx, projectId, new Set([...causeOf.keys(), ...causeOf.values()]));
  const targets = new Set([...causeOf.values()].flatMap((hash) => owners.get(hash) ?? []));
  const owned = await twinHashesOf(trx, targets);
  const moves: Move[] = [];
  for (const [hash, rows] of Map.groupBy(waiting, (row) => row.group_hash)) {
    const from = owners.get(hash);
    const to = owners.get(causeOf.get(hash) ?? '');
    if (from === undefined || to === undefined) continue;
    // Somebody may have given the hash to another issue meanwhile; then it stays there.
    const isMovable = from !== to && rows.some((row) => row.issue_id === from);
    const hasRoom = (owned.get(to) ?? 0) < maxTwinHashes;
    await setTwinState(trx, projectId, hash, !isMovable || hasRoom ? 'attached' : 'apart');
    if (!isMovable || !hasRoom) continue;
    owned.set(to, (owned.get(to) ?? 0) + 1);
    await trx
      .updateTable('issue_hash')
      .set({ issue_id: to, merged_from: null })
      .where('project_id', '=', projectId)
      .where('hash', '=', hash)
      .execute();
    moves.push({ hash, from, to, rows });
  }
  for (const [to, ofIssue] of Map.groupBy(moves, (one) => one.to)) await noteMoves(trx, to, ofIssue, now);
  return moves;
}

/** The issue's times now cover the views; its activity says once that views came to it afterwards. */
async function noteMoves(trx: StateTransaction, to: number, moves: readonly Move[], now: number): Promise<void> {
  const rows = moves.flatMap((one) => one.rows);
  const last = rows.reduce((a, b) => (b.last_seen >= a.last_seen ? b : a));
  const seen = {
    first: Math.min(...rows.map((row) => row.first_seen)),
    last: last.last_seen,
    lastRelease: last.last_release,
  };
  await updateSeen(trx, new Map([[to, seen]]));
  const type = 'views_attached';
  const noted = await trx
    .selectFrom('issue_activity')
    .select('id')
    .where('issue_id', '=', to)
    .where('type', '=', type)
    .limit(1)
    .executeTakeFirst();
  if (noted) return;
  const data = JSON.stringify({ fromIssueId: String(moves[0]?.from) });
  await trx.insertInto('issue_activity').values({ issue_id: to, type, user_id: null, data, created_at: now }).execute();
}

/** An issue that nothing is left of is resolved; the next view that has to wait opens it again. */
async function closeEmptied(stores: IssueStores, projectId: number, issueId: number, now: number): Promise<void> {
  const { state, events } = stores;
  if (await holdsViews(state.db, issueId)) return;
  const hashes = await hashesOf(state, issueId);
  const scope = where(inProjects([projectId]), withHashes(hashes));
  const [left] = await events.query<{ n: number }>(
    `SELECT sum(events) AS n FROM issue_hours WHERE ${scope.sql}`,
    scope.params,
  );
  if (left?.n) return;
  await state.transaction(async (trx) => {
    if (!(await lockProject(trx, projectId, now)) || (await holdsViews(trx, issueId))) return;
    const closed = await trx
      .updateTable('issue')
      // Without a time: whatever it sees next opens it again.
      .set({ ...toStatusColumns('resolved', now), status_changed_at: null })
      .where('id', '=', issueId)
      .where('status', '=', 'unresolved')
      .returning('id')
      .executeTakeFirst();
    if (!closed) return;
    const data = JSON.stringify({ reason: 'views_attached' });
    await trx
      .insertInto('issue_activity')
      .values({ issue_id: issueId, type: 'set_resolved', user_id: null, data, created_at: now })
      .execute();
  });
}

/** Also of views whose rows are about to be stored. */
async function holdsViews(db: Pick<StateTransaction, 'selectFrom'>, issueId: number): Promise<boolean> {
  const row = await db
    .selectFrom('twin')
    .select('group_hash')
    .where('issue_id', '=', issueId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
