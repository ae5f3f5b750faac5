/**
 * Changes of any number of issues, as jobs in the state store.
 *
 * `collecting` while the issues that the search finds are written down; what was not collected to the end is forgotten.
 * `running` from issue to issue; then `done`, and for a day it can be undone. Deleting is different: when all are hidden,
 * the job is `hidden` until it is due, then `deleting` for good, then `done` without a way back.
 * `cancelled` stops it where it is, `failed` where it broke off too often; what is changed by then can be undone all the
 * same, and what is hidden by then is shown again at once. `undoing` goes back from the last issue that was changed to the
 * first; then `undone`. Deleting and undoing are tried until they succeed: nothing may stay hidden.
 *
 * Whoever works on a job has claimed it for a few seconds and claims it anew with each part, in the same transaction as
 * the part: so a part is done once, whoever dies, and another goes on where it ended.
 */
import { type Insertable, type Selectable, sql } from 'kysely';
import type { JobCounts } from '../../../base/jobs/index.ts';
import {
  type Claim,
  claimDue,
  claimRow,
  holdClaim,
  nextClaimAt,
  released,
  unclaimed,
} from '../../../ports/state/claims.ts';
import { CodedError } from '../../../base/errors.ts';
import type { State, StateTransaction } from '../../../ports/state/state.ts';
import type { BulkState } from '../../../base/live.ts';
import type { BulkJobTable } from '../../../ports/state/work-tables.ts';
import type { IssueChange } from './change.ts';

export interface BulkOwner {
  readonly organizationId: string;
  readonly userId: string;
}

export interface BulkJob extends BulkOwner {
  readonly id: number;
  /** As the API was given it. */
  readonly asked: unknown;
  readonly change: IssueChange;
  readonly state: BulkState;
  readonly total: number;
  readonly done: number;
  readonly changed: number;
  readonly attempts: number;
  readonly detail: string;
  readonly undoableUntil: number | null;
  /** ms since the epoch. */
  readonly createdAt: number;
}

export type BulkEvent =
  | 'collected'
  | 'all_changed'
  | 'due'
  | 'all_deleted'
  | 'cancel'
  | 'broke'
  | 'undo'
  | 'all_undone';

type Row = Readonly<Record<BulkEvent, BulkState | 'ignored'>>;

const ignored: Row = {
  collected: 'ignored',
  all_changed: 'ignored',
  due: 'ignored',
  all_deleted: 'ignored',
  cancel: 'ignored',
  broke: 'ignored',
  undo: 'ignored',
  all_undone: 'ignored',
};

/** Of a change; a deletion goes its own ways from `running`: see `nextOf`. */
export const machine: Readonly<Record<BulkState, Row>> = {
  collecting: { ...ignored, collected: 'running', broke: 'failed' },
  running: { ...ignored, all_changed: 'done', cancel: 'cancelled', broke: 'failed' },
  hidden: { ...ignored, due: 'deleting', cancel: 'undoing', undo: 'undoing' },
  deleting: { ...ignored, all_deleted: 'done' },
  done: { ...ignored, undo: 'undoing' },
  failed: { ...ignored, undo: 'undoing' },
  cancelled: { ...ignored, undo: 'undoing' },
  undoing: { ...ignored, all_undone: 'undone' },
  undone: ignored,
};

export function nextOf({ state, change }: Pick<BulkJob, 'state' | 'change'>, event: BulkEvent): BulkState | 'ignored' {
  const next = machine[state][event];
  if (next === 'ignored' || state !== 'running' || !change.remove) return next;
  return event === 'all_changed' ? 'hidden' : 'undoing';
}

/** States in which there is something to do. */
export const openStates = ['running', 'hidden', 'deleting', 'undoing'] as const satisfies readonly BulkState[];

export const undoableMs = 86_400_000;
/** So long what is to be deleted can be had back. */
export const hiddenMs = 30_000;
/** Of one person in one organisation, not over yet. */
const maxOpen = 10;

export function toJob(row: Selectable<BulkJobTable>): BulkJob {
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    ...(JSON.parse(row.change) as Pick<BulkJob, 'asked' | 'change'>),
    state: row.state,
    total: row.total,
    done: row.done,
    changed: row.changed,
    attempts: row.attempts,
    detail: row.detail,
    undoableUntil: row.undoable_until,
    createdAt: row.created_at,
  };
}

/** `collecting`. Throws `BULK_FULL`. */
export async function addJob(
  state: State,
  owner: BulkOwner,
  what: Pick<BulkJob, 'asked' | 'change'>,
  nowMs: number,
): Promise<number> {
  return state.transaction(async (trx) => {
    const { open } = await trx
      .selectFrom('bulk_job')
      .select((eb) => eb.fn.countAll<number | string>().as('open'))
      .where('organization_id', '=', owner.organizationId)
      .where('user_id', '=', owner.userId)
      .where('state', 'in', ['collecting', 'running', 'deleting', 'undoing'])
      .executeTakeFirstOrThrow();
    if (Number(open) >= maxOpen) throw new CodedError('BULK_FULL', [maxOpen], { retryAfter: 5 });
    return (await insertJob(trx, owner, what, nowMs, { state: 'collecting' })).id;
  });
}

/** Tells of a change in the transaction that asks for it, with how many issues it has. */
export type Told = (trx: StateTransaction, issues: number) => Promise<unknown>;

/** `running` at once, claimed by who asks. */
export async function addSmallJob(
  state: State,
  owner: BulkOwner,
  what: Pick<BulkJob, 'asked' | 'change'>,
  issueIds: readonly number[],
  nowMs: number,
  claim: Claim,
  told?: Told,
): Promise<BulkJob> {
  return state.transaction(async (trx) => {
    const begun = {
      state: 'running',
      total: issueIds.length,
      claimed_by: claim.node,
      // By the clock that whoever might take it over reads, whatever the moment of the change is.
      claimed_until: Date.now() + claim.leaseMs,
    } as const;
    const job = await insertJob(trx, owner, what, nowMs, begun);
    for (let at = 0; at < issueIds.length; at += itemsAtOnce) {
      await addItems(trx, job.id, issueIds.slice(at, at + itemsAtOnce), at);
    }
    await told?.(trx, issueIds.length);
    return job;
  });
}

async function insertJob(
  trx: StateTransaction,
  owner: BulkOwner,
  { asked, change }: Pick<BulkJob, 'asked' | 'change'>,
  nowMs: number,
  begun: Partial<Insertable<BulkJobTable>> & Pick<BulkJobTable, 'state'>,
): Promise<BulkJob> {
  const row = await trx
    .insertInto('bulk_job')
    .values({
      organization_id: owner.organizationId,
      user_id: owner.userId,
      change: JSON.stringify({ asked, change }),
      total: 0,
      done: 0,
      changed: 0,
      detail: '',
      ...unclaimed(nowMs),
      undoable_until: null,
      created_at: nowMs,
      finished_at: null,
      ...begun,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toJob(row);
}

const itemsAtOnce = 500;

/** The next issues of a job that is being collected; `from` is how many there are already. */
export async function addItems(
  db: StateTransaction | State['db'],
  jobId: number,
  ids: readonly number[],
  from: number,
): Promise<void> {
  if (!ids.length) return;
  await db
    .insertInto('bulk_item')
    .values(ids.map((issue_id, index) => ({ job_id: jobId, position: from + index + 1, issue_id, before: null })))
    .execute();
}

export async function beginJob(
  state: State,
  jobId: number,
  { total, detail }: Pick<BulkJob, 'total' | 'detail'>,
  told?: Told,
): Promise<void> {
  await state.transaction(async (trx) => {
    await trx
      .updateTable('bulk_job')
      .set({ state: 'running', total, detail })
      .where('id', '=', jobId)
      .where('state', '=', 'collecting')
      .execute();
    await told?.(trx, total);
  });
}

export async function dropJob(state: State, jobId: number): Promise<void> {
  await state.db.deleteFrom('bulk_job').where('id', '=', jobId).execute();
}

/** Own ones that can still be undone or are under way, the newest first. */
export async function listJobs(state: State, owner: BulkOwner): Promise<BulkJob[]> {
  const rows = await owned(state, owner).where('state', '!=', 'collecting').orderBy('id', 'desc').limit(50).execute();
  return rows.map(toJob);
}

/** Undefined where the person has none of the id. */
export async function findJob(state: State, owner: BulkOwner, id: number): Promise<BulkJob | undefined> {
  const row = await owned(state, owner).where('id', '=', id).executeTakeFirst();
  return row && toJob(row);
}

/** Whether it has issues of other projects than these. */
export async function goesBeyond(state: State, jobId: number, projectIds: ReadonlySet<number>): Promise<boolean> {
  const rows = await state.db
    .selectFrom('bulk_item')
    .innerJoin('issue', 'issue.id', 'bulk_item.issue_id')
    .select('issue.project_id')
    .distinct()
    .where('job_id', '=', jobId)
    .execute();
  return rows.some((row) => !projectIds.has(row.project_id));
}

const owned = (state: State, { organizationId, userId }: BulkOwner) =>
  state.db
    .selectFrom('bulk_job')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId);

const open = sql`state in (${sql.join(openStates)})`;

/** The job that waits longest and that nobody works on. Undefined when there is none. */
export async function claimNext(state: State, claim: Claim): Promise<BulkJob | undefined> {
  const [row] = await claimDue(state, { table: 'bulk_job', ready: open, limit: 1 }, claim);
  return row && toJob(row);
}

/** Undefined where it is over, not due or somebody else's. */
export async function claimJob(state: State, jobId: number, claim: Claim): Promise<BulkJob | undefined> {
  const ready = sql`id = ${jobId} and ${open} and due_at <= ${claim.nowMs ?? Date.now()}`;
  const row = await claimRow(state.db, { table: 'bulk_job', ready }, claim);
  return row && toJob(row);
}

/** As it is now, claimed anew; undefined where it is another's, or in another state. For the transaction of a part. */
export async function holdJob(
  db: StateTransaction | State['db'],
  { id, state }: Pick<BulkJob, 'id' | 'state'>,
  claim: Claim,
): Promise<BulkJob | undefined> {
  const ready = sql`id = ${id} and state = ${state}`;
  const row = await holdClaim(db, { table: 'bulk_job', ready, set: { attempts: 0 } }, claim);
  return row && toJob(row);
}

export const nextJobAt = (state: State): Promise<number | undefined> =>
  nextClaimAt(state, { table: 'bulk_job', ready: open });

export async function countJobs({ db }: State): Promise<JobCounts> {
  const now = Date.now();
  const { waiting, running } = await db
    .selectFrom('bulk_job')
    .select(({ fn }) => [
      fn.countAll<number | string>().filterWhere('claimed_until', '<=', now).as('waiting'),
      fn.countAll<number | string>().filterWhere('claimed_until', '>', now).as('running'),
    ])
    .where('state', 'in', openStates)
    .executeTakeFirstOrThrow();
  return { waiting: Number(waiting), running: Number(running) };
}

export async function releaseJob(
  state: State,
  jobId: number,
  { node }: Pick<Claim, 'node'>,
  dueAt: number,
): Promise<void> {
  await state.db
    .updateTable('bulk_job')
    .set({ ...released, due_at: dueAt })
    .where('id', '=', jobId)
    .where('claimed_by', '=', node)
    .execute();
}

/** Moves it on by what happened; undefined where that does not apply to the state that it is in. */
export async function moveJob(
  db: StateTransaction | State['db'],
  job: Pick<BulkJob, 'id' | 'state' | 'change'>,
  event: BulkEvent,
  nowMs: number,
  /** What there is to say of it; what was said before stays otherwise. */
  detail?: string,
): Promise<BulkJob | undefined> {
  const next = nextOf(job, event);
  if (next === 'ignored') return undefined;
  const { id, state } = job;
  const row = await db
    .updateTable('bulk_job')
    .set({
      state: next,
      ...(next === 'hidden' && { due_at: nowMs + hiddenMs, undoable_until: nowMs + hiddenMs }),
      ...(next === 'deleting' && { done: 0, undoable_until: null }),
      ...((next === 'done' || next === 'cancelled' || next === 'failed') && {
        finished_at: nowMs,
        undoable_until: state === 'deleting' ? null : nowMs + undoableMs,
        ...(detail !== undefined && { detail }),
      }),
      ...(next === 'undoing' && { due_at: nowMs, undoable_until: null, finished_at: null, attempts: 0 }),
      ...(next === 'undone' && { finished_at: nowMs }),
      ...(next !== 'running' && next !== 'deleting' && released),
    })
    .where('id', '=', id)
    .where('state', '=', state)
    .returningAll()
    .executeTakeFirst();
  return row && toJob(row);
}

const sweptAtOnce = 500;

/**
 * Forgets a part of what is over for a day, or was never collected to the end. True when there may be more: a job has
 * up to a hundred thousand lines, and nothing else can be asked while they are deleted.
 */
export async function sweepJobs(state: State, nowMs: number): Promise<boolean> {
  const old = await state.db
    .selectFrom('bulk_job')
    .select('id')
    .where('created_at', '<', nowMs - 2 * undoableMs)
    .where((eb) => eb.or([eb('state', '=', 'collecting'), eb('finished_at', '<', nowMs - undoableMs)]))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  if (!old) return false;
  const { numDeletedRows } = await state.db
    .deleteFrom('bulk_item')
    .where('job_id', '=', old.id)
    .where('position', 'in', (eb) =>
      eb.selectFrom('bulk_item').select('position').where('job_id', '=', old.id).orderBy('position').limit(sweptAtOnce),
    )
    .executeTakeFirst();
  if (Number(numDeletedRows) < sweptAtOnce) await dropJob(state, old.id);
  return true;
}
