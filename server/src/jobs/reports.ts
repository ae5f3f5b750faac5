/** How jobs are doing, on this node and, as the state store has it, on the others. Times are ms since the epoch. */
import type { Selectable } from 'kysely';
import type { Job, JobCounts, JobStatus } from '../base/jobs/index.ts';
import type { JobTable } from '../ports/state/job-tables.ts';
import type { State } from '../ports/state/state.ts';

export interface JobReport {
  readonly name: string;
  readonly title: string;
  readonly nodes: Job['nodes'];
  /** `elsewhere`: another node runs it; `starting`: it begins once the events store is there. */
  readonly state: JobStatus['state'] | 'starting';
  readonly beganAt: number | null;
  readonly endedAt: number | null;
  readonly dueAt: number | null;
  /** Rows to work on; null where it does not work on rows. */
  readonly waiting: number | null;
  readonly running: number | null;
  /** Runs in a row that failed. */
  readonly attempts: number;
  /** Of the last run that failed; '' for none. */
  readonly failure: string;
  readonly failedAt: number | null;
}

type StatusOf = (job: Job) => JobStatus | undefined;

export async function readReports(state: State, jobs: readonly Job[], statusOf: StatusOf): Promise<JobReport[]> {
  const rows = new Map((await state.db.selectFrom('job').selectAll().execute()).map((row) => [row.name, row]));
  return Promise.all(
    jobs.map(async (job) => {
      const status = statusOf(job);
      const row = rows.get(job.name);
      const counts = await countsOf(job);
      // What another node runs or has run since, and what none has run since this one started, is known from the store alone.
      const isElsewhere =
        status?.state === 'elsewhere' || (job.nodes === 'one' && (row?.ended_at ?? 0) > (status?.endedAt ?? 0));
      const known = row && (status?.beganAt == null || isElsewhere) ? row : undefined;
      return {
        name: job.name,
        title: job.title,
        nodes: job.nodes,
        state: status?.state ?? 'starting',
        beganAt: known ? known.began_at : (status?.beganAt ?? null),
        endedAt: known ? known.ended_at : (status?.endedAt ?? null),
        dueAt: status?.dueAt ?? null,
        waiting: counts?.waiting ?? null,
        running: counts?.running ?? null,
        attempts: known ? failedRuns(known) : (status?.attempts ?? 0),
        failure: (known ? '' : status?.failure) || (row?.detail ?? ''),
        failedAt: (known ? null : status?.failedAt) ?? row?.failed_at ?? null,
      };
    }),
  );
}

/** A claim counts before it is known how it ends: what runs for the first time has not failed. */
function failedRuns(row: Pick<Selectable<JobTable>, 'attempts' | 'claimed_until' | 'failed_at' | 'ended_at'>): number {
  const hasFailed = row.failed_at !== null && row.failed_at >= (row.ended_at ?? 0);
  return row.claimed_until > Date.now() && !hasFailed ? Math.max(0, row.attempts - 1) : row.attempts;
}

async function countsOf({ count }: Job): Promise<JobCounts | undefined> {
  // A table of jobs in which one number is missing says more than none.
  return count?.().catch(() => undefined);
}

/** For other nodes, and for whoever looks while no server runs. */
export async function writeStatus(state: State, jobs: readonly Job[], statusOf: StatusOf): Promise<void> {
  const counted = await Promise.all(jobs.map(async (job) => ({ job, counts: await countsOf(job) })));
  await state.transaction(async (trx) => {
    for (const { job, counts } of counted) {
      const status = statusOf(job);
      if (!status) continue;
      await trx
        .updateTable('job')
        .set({
          began_at: status.beganAt,
          ended_at: status.endedAt,
          attempts: status.attempts,
          ...(status.failedAt !== null && { detail: status.failure.slice(0, 1_000), failed_at: status.failedAt }),
          waiting: counts?.waiting ?? null,
          running: counts?.running ?? null,
          noted_at: Date.now(),
        })
        .where('name', '=', job.name)
        .execute();
    }
  });
}

export interface StoredJob extends JobCounts {
  readonly name: string;
  readonly endedAt: number | null;
  readonly attempts: number;
  readonly failure: string;
  readonly failedAt: number | null;
}

/** For `doctor`: how jobs were when a server last wrote it down, a minute ago at most while one runs. */
export async function readStored({ db }: Pick<State, 'db'>): Promise<StoredJob[]> {
  const rows = await db.selectFrom('job').selectAll().where('noted_at', '>', 0).orderBy('name').execute();
  return rows.map((row) => ({
    name: row.name,
    endedAt: row.ended_at,
    waiting: row.waiting ?? 0,
    running: row.running ?? 0,
    attempts: failedRuns(row),
    failure: row.detail,
    failedAt: row.failed_at,
  }));
}
