/** Does jobs, part by part. */
import { performance } from 'node:perf_hooks';
import { setImmediate as breathe, setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { CodedError } from '../../../base/errors.ts';
import type { Live } from '../../../base/live.ts';
import type { StateTransaction } from '../../../ports/state/state.ts';
import type { Claimer } from '../../../base/jobs/index.ts';
import type { Claim } from '../../../ports/state/claims.ts';
import type { IssueStores } from '../types.ts';
import { announce, type AssignedTo } from '../work/index.ts';
import { requests } from '../../../base/texts/requests.ts';
import { applyChange, type IssueBefore, undoChange } from './change.ts';
import { type BulkJob, claimJob, holdJob, moveJob, releaseJob } from './job.ts';
import { type RemovalStores, removeEvents, removeIssuesIn } from './remove.ts';

export interface BulkStores extends IssueStores, RemovalStores {
  readonly live: Live;
  /** Told within the transaction that ends it of a change that has given very many issues to somebody. */
  readonly onManyAssigned?: ((trx: StateTransaction, job: BulkJob, to: AssignedTo) => Promise<void>) | undefined;
}

/** Computing time of a part: the state store may answer in this thread, and others wait meanwhile. */
const partMs = 10;
const smallestPart = 10;
const largestPart = 500;
const firstPart = 50;
/** Deleting asks the engine in between. */
const deletingLeaseMs = 300_000;
/** Open screens hear of it so often, and at its end. */
const tellMs = 250;
const maxAttempts = 5;
/** Who changes more at once does not mean each of them. */
const maxFollowed = 100;

/** Issues whose events are deleted at once: the engine reads a table for many as for few. */
const removedAtOnce = 2_000;

const claimOf = ({ node, leaseMs }: Claimer, removing: boolean): Claim => ({
  node,
  leaseMs: removing ? Math.max(deletingLeaseMs, leaseMs) : leaseMs,
});

/**
 * Works on a claimed job until there is nothing to do for now. `calmly`: as long again as each part took is left to
 * others, and who has asked is told how far it is. Throws what is wrong with the change itself.
 */
export async function runJob(
  stores: BulkStores,
  claimed: BulkJob,
  claimer: Claimer,
  { calmly, signal }: { calmly: boolean; signal: AbortSignal },
): Promise<BulkJob> {
  const { state } = stores;
  const teller = createTeller(stores, calmly);
  let job = claimed;
  let size = firstPart;
  /** Of a deletion: how many issues have no events any more. */
  let withoutEvents = 0;
  try {
    for (;;) {
      if (signal.aborted) return job;
      if (job.state === 'hidden') {
        const due = await moveJob(state.db, job, 'due', Date.now());
        const again = due && (await claimJob(state, due.id, claimOf(claimer, true)));
        if (!again) return job;
        job = again;
      }
      const removing = job.state === 'deleting';
      if (removing && job.done >= withoutEvents) {
        const next = await itemsAfter(state.db, job, removedAtOnce);
        await removeEvents(stores, idsOf(next));
        withoutEvents = job.done + next.length;
      }
      const began = performance.now();
      // Of this thread in the transaction: waiting, for the disk or for the processor, says nothing of the part's size.
      let cpuMs = 0;
      const atMost = removing ? Math.min(size, withoutEvents - job.done) : size;
      const part = await state.transaction(async (trx) => {
        const before = process.threadCpuUsage();
        const done = await runPart(trx, job, claimOf(claimer, removing), Math.max(1, atMost));
        const to = done?.job.state === 'done' ? done.job.change.assignee : undefined;
        if (done && to && done.job.total > maxFollowed) await stores.onManyAssigned?.(trx, done.job, to);
        const { user, system } = process.threadCpuUsage(before);
        cpuMs = (user + system) / 1_000;
        return done;
      });
      if (!part) return job;
      job = part.job;
      await teller.note(job, part.issueIds);
      if (part.over) return job;
      size = Math.round(Math.min(largestPart, Math.max(smallestPart, (size * partMs) / Math.max(cpuMs, 1), size / 2)));
      if (calmly) await delay(Math.min(performance.now() - began, 50));
      else await breathe();
    }
  } catch (error) {
    const coded = error instanceof CodedError && job.state === 'running' ? error : undefined;
    const now = Date.now();
    const isBroken = coded !== undefined || (job.state === 'running' && job.attempts >= maxAttempts);
    // Another node may have it by now, and goes on.
    if (isBroken && (await holdJob(state.db, job, claimOf(claimer, false)))) {
      job = (await moveJob(state.db, job, 'broke', now, coded?.message ?? requests.failed)) ?? job;
    } else {
      await releaseJob(state, job.id, claimer, now + 1_000 * job.attempts);
    }
    await teller.note(job, []);
    throw error;
  } finally {
    await teller.end();
  }
}

interface Part {
  readonly job: BulkJob;
  /** That are different now. */
  readonly issueIds: readonly number[];
  /** Nothing is left to do for now. */
  readonly over: boolean;
}

/** One part with what says that it is done. Undefined where the job was stopped, or is somebody else's. */
async function runPart(
  trx: StateTransaction,
  { id, state }: BulkJob,
  claim: Claim,
  size: number,
): Promise<Part | undefined> {
  const job = await holdJob(trx, { id, state }, claim);
  if (!job) return undefined;
  if (state === 'undoing') return undoPart(trx, job, size);
  const items = await itemsAfter(trx, job, size);
  const ids = idsOf(items);
  if (state === 'deleting') {
    await removeIssuesIn(trx, ids, job, Date.now());
    return advance(trx, job, { done: job.done + items.length, changed: job.changed }, 'all_deleted', []);
  }
  const by = { userId: job.userId, nowMs: job.createdAt, few: job.total <= maxFollowed };
  const before = await applyChange(trx, ids, job.change, by);
  await writeBefore(trx, job.id, items, before);
  const counts = { done: job.done + items.length, changed: job.changed + before.size };
  return advance(trx, job, counts, 'all_changed', [...before.keys()]);
}

async function undoPart(trx: StateTransaction, job: BulkJob, size: number): Promise<Part> {
  const items = await trx
    .selectFrom('bulk_item')
    .select(['position', 'issue_id', 'before'])
    .where('job_id', '=', job.id)
    .where('position', '<=', job.done)
    .orderBy('position', 'desc')
    .limit(size)
    .execute();
  const before = new Map(
    items.flatMap((item) => (item.before ? [[item.issue_id, JSON.parse(item.before) as IssueBefore] as const] : [])),
  );
  const { userId, createdAt: changedAt } = job;
  if (before.size) await undoChange(trx, before, job.change, { userId, nowMs: Date.now(), changedAt });
  const counts = { done: job.done - items.length, changed: Math.max(0, job.changed - before.size) };
  return advance(trx, job, counts, 'all_undone', [...before.keys()]);
}

async function advance(
  trx: StateTransaction,
  job: BulkJob,
  counts: Pick<BulkJob, 'done' | 'changed'>,
  end: 'all_changed' | 'all_deleted' | 'all_undone',
  issueIds: readonly number[],
): Promise<Part> {
  await trx.updateTable('bulk_job').set(counts).where('id', '=', job.id).execute();
  const now = { ...job, ...counts };
  const over = end === 'all_undone' ? counts.done <= 0 : counts.done >= job.total;
  if (!over) return { job: now, issueIds, over };
  return { job: (await moveJob(trx, now, end, Date.now())) ?? now, issueIds, over };
}

type Reader = Pick<StateTransaction, 'selectFrom'>;

const itemsAfter = (db: Reader, { id, done }: BulkJob, size: number) =>
  db
    .selectFrom('bulk_item')
    .select(['position', 'issue_id'])
    .where('job_id', '=', id)
    .where('position', '>', done)
    .orderBy('position')
    .limit(size)
    .execute();

const idsOf = (items: readonly { readonly issue_id: number }[]): number[] => items.map((item) => item.issue_id);

async function writeBefore(
  trx: StateTransaction,
  jobId: number,
  items: readonly { readonly position: number; readonly issue_id: number }[],
  before: ReadonlyMap<number, IssueBefore>,
): Promise<void> {
  const changed = items.flatMap(({ position, issue_id }) => {
    const was = before.get(issue_id);
    return was ? [{ position, was: JSON.stringify(was) }] : [];
  });
  if (!changed.length) return;
  const rows = sql.join(changed.map(({ position, was }) => sql`(cast(${position} as integer), cast(${was} as text))`));
  await sql`
    with part(position, was) as (values ${rows})
    update bulk_item set before = part.was from part
    where bulk_item.job_id = ${jobId} and bulk_item.position = part.position`.execute(trx);
}

/** Tells open screens how far it is, and which issues are different, not more often than they can follow. */
function createTeller({ state, live }: BulkStores, progress: boolean) {
  let announcedAt = 0;
  let ids: number[] = [];
  let last: BulkJob | undefined;
  const flush = async (): Promise<void> => {
    announcedAt = Date.now();
    const changed = ids;
    ids = [];
    if (last && progress) tell(live, last);
    if (changed.length) await announce({ state, live }, changed);
  };
  return {
    async note(job: BulkJob, issueIds: readonly number[]): Promise<void> {
      last = job;
      ids.push(...issueIds);
      if (Date.now() - announcedAt >= tellMs) await flush();
    },
    end: flush,
  };
}

export function tell(live: Live, job: BulkJob): void {
  const { id, organizationId, userId, state, total, done, changed } = job;
  live.publish({ type: 'bulk', organizationId, userId, id, state, total, done, changed });
}
