/**
 * Limits of issues, applied to the events of a batch, under the lock of their project: so nodes and threads count exactly.
 *
 * What is decided of a batch is written down with what waits, under the token of the batch, and found there when the batch
 * is run again: it decides alike, and nothing is counted twice. Whatever was received before a limit was set passes, so
 * that a batch that began without it ends without it.
 */
import { sql } from 'kysely';
import { chunksOf } from '../../../base/chunks.ts';
import { periodMs } from '../../../base/event-limit.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { Recordable } from '../record/sightings.ts';
import { decideLimit, type Limitable, type LimitState, type Weight } from './decide.ts';
import { type LimitRow, toLimitState } from './rows.ts';

/** Whom stored events of a batch stand for, and which are not stored. */
export interface LimitedEvents {
  /** Whether the batch was decided on before: it is run again. */
  readonly isRepeated: boolean;
  readonly limited: ReadonlySet<Recordable>;
  readonly added: ReadonlyMap<Recordable, Weight>;
}

/** JSON in the store; short names, since there may be thousands. */
interface Decision {
  /** First hashes of the events that were decided on. */
  readonly hashes: readonly string[];
  /** Those of them that are stored: key, events, users. */
  readonly kept: readonly (readonly [key: string, events: number, users?: readonly string[]])[];
}

interface Batch {
  readonly projectId: number;
  readonly token: string;
  readonly owners: ReadonlyMap<string, number>;
  /** ms since the epoch. */
  readonly now: number;
}

/** As many as the events store remembers inserts of. They are forgotten by time before that, unless there are very many. */
const rememberedBatches = 10_000;

export const noneLimited: LimitedEvents = { isRepeated: false, limited: new Set(), added: new Map() };

/** Events are told by id, and the second of an id by its number: they may come in another order, and without some. */
function keysOf(events: readonly Recordable[]): ReadonlyMap<Recordable, string> {
  const seen = new Map<string, number>();
  const keys = new Map<Recordable, string>();
  for (const event of events) {
    const { event_id: id } = event.row;
    const number = seen.get(id) ?? 0;
    seen.set(id, number + 1);
    keys.set(event, number === 0 ? id : `${id}:${number}`);
  }
  return keys;
}

const hashOf = ({ grouping }: Recordable): string => grouping.hashes[0] ?? '';

/** What an import brings is history, and a view that waits for its server event may belong to another issue. */
const passes = ({ imported, isUnplaced }: Recordable): boolean => imported === true || isUnplaced === true;

/** Of a project that has any limit. `events` have their issue, by `owners`. */
export async function applyLimits(
  trx: StateTransaction,
  batch: Batch,
  events: readonly Recordable[],
): Promise<LimitedEvents> {
  const limitable = events.filter((event) => !passes(event));
  if (limitable.length === 0) return noneLimited;
  const keys = keysOf(limitable);
  const before = await readDecision(trx, batch);
  if (before) return { isRepeated: true, ...outcomeOf(before, limitable, keys) };
  const decision = await decide(trx, batch, limitable, keys);
  if (!decision) return noneLimited;
  await writeDecision(trx, batch, decision);
  return { isRepeated: false, ...outcomeOf(decision, limitable, keys) };
}

async function decide(
  trx: StateTransaction,
  { owners, now }: Batch,
  events: readonly Recordable[],
  keys: ReadonlyMap<Recordable, string>,
): Promise<Decision | undefined> {
  const byIssue = Map.groupBy(events, (event) => owners.get(hashOf(event)));
  const rows = await readLimits(
    trx,
    [...byIssue.keys()].filter((id) => id !== undefined),
  );
  const hashes = new Set<string>();
  const kept: Decision['kept'][number][] = [];
  for (const row of rows) {
    const ofIssue = (byIssue.get(row.issue_id) ?? []).filter((event) => event.row.received_at >= row.created_at);
    if (ofIssue.length === 0) continue;
    const decided = decideLimit(withinTime(toLimitState(row), now), toLimitables(ofIssue, keys));
    await writeLimit(trx, row.issue_id, decided.next);
    for (const event of ofIssue) hashes.add(hashOf(event));
    for (const [key, { events: added, users }] of decided.kept) {
      kept.push(users.length > 0 ? [key, added, users] : [key, added]);
    }
    // Their hash may be of others that came before the limit was set.
    for (const event of byIssue.get(row.issue_id) ?? []) {
      if (event.row.received_at < row.created_at) kept.push([keys.get(event) ?? '', 0]);
    }
  }
  return hashes.size > 0 ? { hashes: [...hashes], kept } : undefined;
}

const toLimitables = (events: readonly Recordable[], keys: ReadonlyMap<Recordable, string>): Limitable[] =>
  events.map((event) => {
    const { environment, received_at: receivedAt, user, stands_for = 0, sampled_users = [] } = event.row;
    const users = [...new Set(user === '' ? sampled_users : [user, ...sampled_users])];
    return { key: keys.get(event) ?? '', environment, receivedAt, weight: { events: 1 + stands_for, users } };
  });

/** A clock that was ahead once holds up nothing. */
function withinTime(state: LimitState, now: number): LimitState {
  const current = Math.floor(now / periodMs[state.per]);
  const waiting = state.waiting.map((one) => ({ ...one, since: Math.min(one.since, now) }));
  return state.period > current + 1 ? { ...state, waiting, period: current, kept: 0 } : { ...state, waiting };
}

function outcomeOf(
  { hashes, kept }: Decision,
  events: readonly Recordable[],
  keys: ReadonlyMap<Recordable, string>,
): Omit<LimitedEvents, 'isRepeated'> {
  const decided = new Set(hashes);
  const weights = new Map(kept.map(([key, added, users = []]) => [key, { events: added, users }]));
  const limited = new Set<Recordable>();
  const added = new Map<Recordable, Weight>();
  for (const event of events) {
    if (!decided.has(hashOf(event))) continue;
    const weight = weights.get(keys.get(event) ?? '');
    if (!weight) limited.add(event);
    else if (weight.events > 0) added.set(event, weight);
  }
  return { limited, added };
}

async function readLimits(trx: StateTransaction, issueIds: readonly number[]): Promise<LimitRow[]> {
  const rows: LimitRow[] = [];
  for (const chunk of chunksOf(issueIds)) {
    rows.push(...(await trx.selectFrom('issue_limit').selectAll().where('issue_id', 'in', chunk).execute()));
  }
  return rows.toSorted((a, b) => a.issue_id - b.issue_id);
}

/** A row without a limit is gone once nothing waits of it. */
async function writeLimit(trx: StateTransaction, issueId: number, next: LimitState): Promise<void> {
  const { events, period, kept, waiting } = next;
  if (events === null && waiting.length === 0) {
    const gone = await trx
      .deleteFrom('issue_limit')
      .where('issue_id', '=', issueId)
      .where('events', 'is', null)
      .executeTakeFirst();
    if (gone.numDeletedRows > 0n) return;
  }
  await trx
    .updateTable('issue_limit')
    .set({ period, kept, waiting: JSON.stringify(waiting) })
    .where('issue_id', '=', issueId)
    .execute();
}

async function readDecision(trx: StateTransaction, { projectId, token }: Batch): Promise<Decision | undefined> {
  const row = await trx
    .selectFrom('issue_limit_batch')
    .select('decided')
    .where('project_id', '=', projectId)
    .where('token', '=', token)
    .executeTakeFirst();
  return row && (JSON.parse(row.decided) as Decision);
}

async function writeDecision(
  trx: StateTransaction,
  { projectId, token, now }: Batch,
  decision: Decision,
): Promise<void> {
  const { id } = await trx
    .insertInto('issue_limit_batch')
    .values({ project_id: projectId, token, decided: JSON.stringify(decision), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .deleteFrom('issue_limit_batch')
    .where('id', '<=', id - rememberedBatches)
    .execute();
}

/**
 * In the row of the project that is locked anyway, so that one without limits pays for none. A batch that was decided on
 * finds its decision also when the limit is gone by then.
 */
export const hasLimits = sql<number | boolean>`(exists(select 1 from issue_limit where project_id = project.id)
  or exists(select 1 from issue_limit_batch where project_id = project.id))`;
