/** The one way in which people change issues, one or a hundred thousand: as jobs, done at once or in the background, each of which can be taken back. */
import { setImmediate as breathe } from 'node:timers/promises';
import { chunksOf } from '../../../base/chunks.ts';
import { CodedError } from '../../../base/errors.ts';
import { type Claimer, createAlarm, defaultLeaseMs, type Job, type JobContext } from '../../../base/jobs/index.ts';
import { refuseHeld } from '../../projects/index.ts';
import type { IssueFilter } from '../types.ts';
import { things } from '../../../base/texts/things.ts';
import { bulk as texts } from '../../../base/texts/issues.ts';
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
  countJobs,
  dropJob,
  findJob,
  moveJob,
  nextJobAt,
  nextOf,
  releaseJob,
  sweepJobs,
  type Told,
} from './job.ts';
import { type BulkStores, runJob, tell } from './run.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

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
    readonly told?: Told | undefined;
  };

export interface Bulk {
  readonly jobs: readonly Job[];
  /** Begins a change that goes on in the background. */
  start(request: BulkRequest): Promise<BulkJob>;
  /** Makes a change and waits for it; at most a thousand issues. With the ids of those that are different now. */
  change(request: BulkRequest & { readonly issues: readonly number[] }): Promise<{ job: BulkJob; changed: number[] }>;
  /** Throws `UNDO_REFUSED`. */
  undo(job: BulkJob, told?: Told): Promise<BulkJob>;
  /** What is over stays as it is. */
  cancel(job: BulkJob): Promise<BulkJob>;
}

export interface BulkOptions extends BulkStores {
  /** Who this is, among the nodes that may do jobs. */
  readonly node: string;
}

const lookMs = 1_000;
const sweepMs = 5_000;

export function createBulk(options: BulkOptions): Bulk {
  const { state, live } = options;
  const claimer: Claimer = { node: options.node, leaseMs: defaultLeaseMs };
  const alarm = createAlarm();
  // What a request waits for ends with its own transaction when the server stops.
  const { signal } = new AbortController();

  async function runDue(context: JobContext): Promise<void> {
    while (!context.signal.aborted) {
      const job = await claimNext(state, context);
      if (!job) return;
      try {
        await runJob(options, job, context, { calmly: true, signal: context.signal });
      } catch (error) {
        // What is wrong with the change itself stands in the job.
        if (!(error instanceof CodedError)) throw error;
      }
    }
  }

  async function collected(request: BulkRequest, filter: IssueFilter): Promise<number> {
    const id = await addJob(state, request, request, request.nowMs);
    try {
      let total = 0;
      for await (const ids of collectIssues(options, filter, maxBulk)) {
        await addItems(state.db, id, ids, total);
        total += ids.length;
      }
      const detail = total < maxBulk ? '' : texts.limited(maxBulk);
      await beginJob(state, id, { total, detail }, request.told);
      return id;
    } catch (error) {
      await dropJob(state, id);
      throw error;
    }
  }

  /** Of a project on hold nothing is deleted. */
  async function refuse({ change, issues }: BulkRequest): Promise<void> {
    if (!change.remove) return;
    if (!isIds(issues)) {
      return refuseHeld(
        state,
        issues.projects.map(({ id }) => id),
      );
    }
    for (const chunk of chunksOf(issues)) {
      const rows = await state.db
        .selectFrom('issue')
        .select('project_id')
        .distinct()
        .where('id', 'in', chunk)
        .execute();
      await refuseHeld(
        state,
        rows.map((row) => row.project_id),
      );
    }
  }

  const small = (request: BulkRequest, ids: readonly number[]): Promise<BulkJob> =>
    addSmallJob(state, request, request, [...new Set(ids)], request.nowMs, claimer, request.told);

  const again = async (job: BulkOwner, id: number): Promise<BulkJob> => {
    const found = await findJob(state, job, id);
    if (!found) throw new CodedError('NOT_FOUND', [things.bulkChange(id)]);
    return found;
  };

  return {
    jobs: [
      {
        name: 'issue-changes',
        title: jobTexts.issueChanges.title,
        nodes: 'each',
        everyMs: lookMs,
        alarm,
        // A deletion that an earlier version left asks for columns that the upgrade adds.
        needsEvents: true,
        failed: jobTexts.issueChanges.failed,
        async run(context) {
          await runDue(context);
          return nextJobAt(state);
        },
        count: () => countJobs(state),
      },
      {
        name: 'issue-change-expiry',
        title: jobTexts.issueChangeExpiry.title,
        nodes: 'one',
        everyMs: sweepMs,
        failed: jobTexts.issueChangeExpiry.failed,
        async run(context) {
          while (!context.signal.aborted && (await sweepJobs(state, Date.now()))) await breathe();
        },
      },
    ],

    async start(request) {
      await refuse(request);
      const { issues } = request;
      if (isIds(issues)) {
        const { id } = await small(request, issues);
        await releaseJob(state, id, claimer, request.nowMs);
        alarm.ring();
        return again(request, id);
      }
      const job = await again(request, await collected(request, issues));
      tell(live, job);
      alarm.ring();
      return job;
    },

    async change(request) {
      const job = await runJob(options, await small(request, request.issues), claimer, { calmly: false, signal });
      const rows = await state.db
        .selectFrom('bulk_item')
        .select('issue_id')
        .where('job_id', '=', job.id)
        .where('before', 'is not', null)
        .orderBy('position')
        .execute();
      return { job, changed: rows.map((row) => row.issue_id) };
    },

    async undo(job, told) {
      const now = Date.now();
      if (nextOf(job, 'undo') === 'ignored' || job.undoableUntil === null || job.undoableUntil < now) {
        throw new CodedError('UNDO_REFUSED', [whyNot(job)]);
      }
      const moved = await state.transaction(async (trx) => {
        const taken = await moveJob(trx, job, 'undo', now);
        if (taken) await told?.(trx, job.changed);
        return taken;
      });
      if (!moved) throw new CodedError('UNDO_REFUSED', [texts.undo.continued]);
      const claimed = job.total <= maxAtOnce && (await claimJob(state, job.id, { ...claimer, nowMs: now }));
      if (claimed) return runJob(options, claimed, claimer, { calmly: false, signal });
      tell(live, moved);
      alarm.ring();
      return moved;
    },

    async cancel(job) {
      const moved = await moveJob(state.db, job, 'cancel', Date.now());
      if (!moved) return again(job, job.id);
      tell(live, moved);
      alarm.ring();
      return moved;
    },
  };
}

const isIds = (issues: BulkRequest['issues']): issues is readonly number[] => Array.isArray(issues);

function whyNot(job: BulkJob): string {
  if (job.state === 'deleting' || (job.state === 'done' && job.change.remove)) return texts.undo.deleted;
  if (job.state === 'undoing' || job.state === 'undone') return texts.undo.undone;
  if (nextOf(job, 'cancel') !== 'ignored') return texts.undo.running;
  return texts.undo.tooLate;
}
