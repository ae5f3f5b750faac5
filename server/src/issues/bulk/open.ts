/** The one way in which people change issues, one or a hundred thousand: as jobs, done at once or in the background, each of which can be taken back. */
import { randomUUID } from 'node:crypto';
import { setImmediate as breathe } from 'node:timers/promises';
import { CodedError } from '../../errors.ts';
import type { Failures } from '../../self/index.ts';
import type { IssueFilter } from '../types.ts';
import { collectIssues } from './collect.ts';
import {
  addItems,
  addJob,
  addSmallJob,
  beginJob,
  type BulkJob,
  type BulkOwner,
  claimJob,
  claimNext,
  dropJob,
  findJob,
  moveJob,
  nextOf,
  releaseJob,
  sweepJobs,
} from './job.ts';
import { type BulkStores, claimOf, runJob, tell } from './run.ts';

/** Issues that one change may have; what a search finds beyond them is left as it is. */
export const maxBulk = 100_000;
/** As many are taken back while the request waits. */
const maxAtOnce = 1_000;

export type BulkRequest = BulkOwner &
  Pick<BulkJob, 'asked' | 'change'> & {
    /** Ids, or what is searched for. */
    readonly issues: readonly number[] | IssueFilter;
    /** ms since the epoch. */
    readonly nowMs: number;
  };

export interface Bulk extends AsyncDisposable {
  /** Begins a change that goes on in the background. */
  start(request: BulkRequest): Promise<BulkJob>;
  /** Makes a change and waits for it; at most a thousand issues. With the ids of those that are different now. */
  change(request: BulkRequest & { readonly issues: readonly number[] }): Promise<{ job: BulkJob; changed: number[] }>;
  /** Throws `UNDO_REFUSED`. */
  undo(job: BulkJob): Promise<BulkJob>;
  /** What is over stays as it is. */
  cancel(job: BulkJob): Promise<BulkJob>;
}

interface BulkOptions extends BulkStores {
  readonly failures: Failures;
}

const lookMs = 1_000;
const sweepMs = 5_000;

export function openBulk(options: BulkOptions): Bulk {
  const { state, live, failures } = options;
  /** Who this is, among the nodes that may do jobs. */
  const by = randomUUID();
  const closing = new AbortController();
  const { signal } = closing;
  let work: Promise<void> | undefined;
  let sweptAt = 0;

  function wake(): void {
    if (work || signal.aborted) return;
    work = lookAround()
      .catch((error: unknown) => {
        failures.note(error, { message: 'changes of many issues stopped; they go on in a while' });
      })
      .finally(() => {
        work = undefined;
      });
  }

  async function lookAround(): Promise<void> {
    for (;;) {
      if (signal.aborted) return;
      const job = await claimNext(state, claimOf(by), Date.now());
      if (!job) break;
      try {
        await runJob(options, job, by, { calmly: true, signal });
      } catch (error) {
        // What is wrong with the change itself stands in the job.
        if (!(error instanceof CodedError)) throw error;
      }
    }
    if (Date.now() - sweptAt < sweepMs) return;
    sweptAt = Date.now();
    while (!signal.aborted && (await sweepJobs(state, Date.now()))) await breathe();
  }

  async function collected(request: BulkRequest, filter: IssueFilter): Promise<number> {
    const id = await addJob(state, request, request, request.nowMs);
    try {
      let total = 0;
      for await (const ids of collectIssues(options, filter, maxBulk)) {
        await addItems(state.db, id, ids, total);
        total += ids.length;
      }
      const detail = total < maxBulk ? '' : `only the first ${maxBulk} issues that the search finds are changed`;
      await beginJob(state, id, { total, detail });
      return id;
    } catch (error) {
      await dropJob(state, id);
      throw error;
    }
  }

  const small = (request: BulkRequest, ids: readonly number[]): Promise<BulkJob> =>
    addSmallJob(state, request, request, [...new Set(ids)], request.nowMs, claimOf(by));

  const again = async (job: BulkOwner, id: number): Promise<BulkJob> => {
    const found = await findJob(state, job, id);
    if (!found) throw new CodedError('NOT_FOUND', [`change ${id}`]);
    return found;
  };

  const timer = setInterval(wake, lookMs).unref();
  wake();

  return {
    async start(request) {
      const { issues } = request;
      if (isIds(issues)) {
        const { id } = await small(request, issues);
        await releaseJob(state, id, { by }, request.nowMs);
        wake();
        return again(request, id);
      }
      const job = await again(request, await collected(request, issues));
      tell(live, job);
      wake();
      return job;
    },

    async change(request) {
      const job = await runJob(options, await small(request, request.issues), by, { calmly: false, signal });
      const rows = await state.db
        .selectFrom('bulk_item')
        .select('issue_id')
        .where('job_id', '=', job.id)
        .where('before', 'is not', null)
        .orderBy('position')
        .execute();
      return { job, changed: rows.map((row) => row.issue_id) };
    },

    async undo(job) {
      const now = Date.now();
      if (nextOf(job, 'undo') === 'ignored' || job.undoableUntil === null || job.undoableUntil < now) {
        throw new CodedError('UNDO_REFUSED', [whyNot(job)]);
      }
      const moved = await moveJob(state.db, job, 'undo', now);
      if (!moved) throw new CodedError('UNDO_REFUSED', ['it has just gone on']);
      const claimed = job.total <= maxAtOnce && (await claimJob(state, job.id, claimOf(by), now));
      if (claimed) return runJob(options, claimed, by, { calmly: false, signal });
      tell(live, moved);
      wake();
      return moved;
    },

    async cancel(job) {
      const moved = await moveJob(state.db, job, 'cancel', Date.now());
      if (!moved) return again(job, job.id);
      tell(live, moved);
      wake();
      return moved;
    },

    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      closing.abort(new Error('the server stops'));
      await work;
    },
  };
}

const isIds = (issues: BulkRequest['issues']): issues is readonly number[] => Array.isArray(issues);

function whyNot(job: BulkJob): string {
  if (job.state === 'deleting' || (job.state === 'done' && job.change.remove)) return 'what is deleted is gone';
  if (job.state === 'undoing' || job.state === 'undone') return 'it is taken back already';
  if (nextOf(job, 'cancel') !== 'ignored') return 'it is under way; stop it first';
  return 'that is possible for a day';
}
