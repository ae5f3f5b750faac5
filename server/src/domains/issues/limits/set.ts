/** Limits as people set them, and what becomes of them where issues are merged. */
import { chunksOf } from '../../../base/chunks.ts';
import { type EventLimit, periodMs } from '../../../base/event-limit.ts';
import { performanceIssueTypes } from '../../../base/problems/types.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import { noteActivity } from '../activity.ts';
import type { Doing } from '../work/types.ts';
import { mostEnvironments, mostUsers, plus, type Waiting } from './decide.ts';
import { type LimitRow, toLimit, toPeriod, toWaiting } from './rows.ts';

/** Null: none. What the limits were, of the issues whose limit is different now; those of performance problems have none. */
export async function limitIn(
  trx: StateTransaction,
  { issueIds, userId, nowMs }: Doing,
  limit: EventLimit | null,
): Promise<Map<number, EventLimit | null>> {
  const changed = new Map<number, EventLimit | null>();
  for (const chunk of chunksOf(issueIds, 500)) {
    const before = await readLimitsOf(trx, chunk);
    for (const { id, project_id, row } of before) {
      const was = row ? toLimit(row) : null;
      if (isSame(was, limit)) continue;
      await writeLimit(trx, { id, projectId: project_id, row, limit, nowMs });
      changed.set(id, was);
    }
  }
  await noteActivity(
    trx,
    [...changed].map(([issueId, was]) => ({
      issueId,
      type: 'set_limit',
      userId,
      data: { limit, ...(was && { was }) },
      at: nowMs,
    })),
  );
  return changed;
}

/** Back to what they were, where they are still as `limit` left them. */
export async function restoreLimitIn(
  trx: StateTransaction,
  before: ReadonlyMap<number, EventLimit | null>,
  limit: EventLimit | null,
  by: Omit<Doing, 'issueIds'>,
): Promise<void> {
  for (const chunk of chunksOf([...before.keys()], 500)) {
    const now = await readLimitsOf(trx, chunk);
    const still = now.filter(({ row }) => isSame(row ? toLimit(row) : null, limit));
    for (const [, same] of Map.groupBy(still, ({ id }) => JSON.stringify(before.get(id) ?? null))) {
      const [first] = same;
      const issueIds = same.map(({ id }) => id);
      if (first) await limitIn(trx, { ...by, issueIds }, before.get(first.id) ?? null);
    }
  }
}

const isSame = (a: EventLimit | null, b: EventLimit | null): boolean => a?.events === b?.events && a?.per === b?.per;

interface Limited {
  readonly id: number;
  readonly project_id: number;
  readonly row: LimitRow | undefined;
}

async function readLimitsOf(trx: StateTransaction, issueIds: readonly number[]): Promise<Limited[]> {
  const issues = await trx
    .selectFrom('issue')
    .select(['id', 'project_id', 'type'])
    .where('id', 'in', issueIds)
    .where('merged_into', 'is', null)
    .orderBy('id')
    .execute();
  const rows = await trx.selectFrom('issue_limit').selectAll().where('issue_id', 'in', issueIds).execute();
  const byIssue = new Map(rows.map((row) => [row.issue_id, row]));
  return issues
    .filter(({ type }) => !performanceIssueTypes.has(type))
    .map(({ id, project_id }) => ({ id, project_id, row: byIssue.get(id) }));
}

interface LimitToWrite {
  readonly id: number;
  readonly projectId: number;
  readonly row: LimitRow | undefined;
  readonly limit: EventLimit | null;
  readonly nowMs: number;
  /** The merged issue whose limit it is. */
  readonly takenFrom?: number | null;
}

/** What waits stays, and goes with the next event. */
async function writeLimit(
  trx: StateTransaction,
  { id, projectId, row, limit, nowMs, takenFrom = null }: LimitToWrite,
): Promise<void> {
  if (!limit) {
    await trx.updateTable('issue_limit').set({ events: null, taken_from: null }).where('issue_id', '=', id).execute();
    await forgetEmpty(trx, id);
    return;
  }
  const set = { events: limit.events, per: limit.per, taken_from: takenFrom };
  // A period of another length has another number: it begins anew.
  const anew = row && row.per !== limit.per ? { period: 0, kept: 0 } : {};
  await trx
    .insertInto('issue_limit')
    .values({ issue_id: id, project_id: projectId, ...set, period: 0, kept: 0, waiting: '[]', created_at: nowMs })
    .onConflict((conflict) => conflict.column('issue_id').doUpdateSet({ ...set, ...anew }))
    .execute();
}

async function forgetEmpty(trx: StateTransaction, issueId: number): Promise<void> {
  await trx
    .deleteFrom('issue_limit')
    .where('issue_id', '=', issueId)
    .where('events', 'is', null)
    .where('waiting', '=', '[]')
    .execute();
}

const readRow = (trx: StateTransaction, issueId: number): Promise<LimitRow | undefined> =>
  trx.selectFrom('issue_limit').selectAll().where('issue_id', '=', issueId).executeTakeFirst();

/**
 * Of issues whose events go to another one from now on: what waits of them goes there, too. The other one keeps its own
 * limit; if it has none, it takes over the lowest of theirs. Theirs stay with them, for when they are taken back.
 */
export async function mergeLimits(
  trx: StateTransaction,
  parentId: number,
  childIds: readonly number[],
  nowMs: number,
): Promise<void> {
  const children: LimitRow[] = [];
  for (const chunk of chunksOf(childIds)) {
    children.push(...(await trx.selectFrom('issue_limit').selectAll().where('issue_id', 'in', chunk).execute()));
  }
  const [first] = children;
  if (!first) return;
  const own = await readRow(trx, parentId);
  const waiting = [own, ...children].flatMap((row) => (row ? toWaiting(row.waiting) : []));
  const lowest = children.filter(({ events }) => events !== null).toSorted((a, b) => rateOf(a) - rateOf(b))[0];
  const isTaken = (!own || own.events === null) && lowest !== undefined;
  const limit = isTaken ? toLimit(lowest) : own ? toLimit(own) : null;
  const takenFrom = isTaken ? lowest.issue_id : (own?.taken_from ?? null);
  if (limit) await writeLimit(trx, { id: parentId, projectId: first.project_id, row: own, limit, nowMs, takenFrom });
  else if (!own && waiting.length > 0) await insertWithout(trx, parentId, first, nowMs);
  await trx
    .updateTable('issue_limit')
    .set({ waiting: JSON.stringify(joined(waiting)) })
    .where('issue_id', '=', parentId)
    .execute();
  for (const { issue_id: id } of children) {
    await trx.updateTable('issue_limit').set({ waiting: '[]' }).where('issue_id', '=', id).execute();
    await forgetEmpty(trx, id);
  }
}

const insertWithout = (trx: StateTransaction, issueId: number, { project_id, per }: LimitRow, nowMs: number) =>
  trx
    .insertInto('issue_limit')
    .values({ issue_id: issueId, project_id, events: null, per, period: 0, kept: 0, waiting: '[]', created_at: nowMs })
    .execute();

const rateOf = ({ events, per }: LimitRow): number => (events ?? Infinity) / periodMs[toPeriod(per)];

/** Users that go along; of more the count falls short. */
const mostMerged = 10 * mostUsers;

function joined(waiting: readonly Waiting[]): Waiting[] {
  const byEnvironment = new Map<string | null, Waiting>();
  for (const one of waiting) {
    const isApart = byEnvironment.has(one.environment) || byEnvironment.size < mostEnvironments;
    const environment = isApart ? one.environment : null;
    const known = byEnvironment.get(environment);
    const since = Math.min(one.since, known?.since ?? Infinity);
    byEnvironment.set(environment, { ...one, ...(known && plus(known, one)), environment, since });
  }
  let room = mostMerged;
  return [...byEnvironment.values()].map((one) => {
    const users = one.users.slice(0, room);
    room -= users.length;
    return { ...one, users };
  });
}

/** Of issues that stand for themselves again: a limit that the other one took over from them ends there. */
export async function takeBackLimits(
  trx: StateTransaction,
  parentId: number,
  childIds: readonly number[],
): Promise<void> {
  for (const chunk of chunksOf(childIds)) {
    await trx
      .updateTable('issue_limit')
      .set({ events: null, taken_from: null })
      .where('issue_id', '=', parentId)
      .where('taken_from', 'in', chunk)
      .execute();
  }
  await forgetEmpty(trx, parentId);
}
