/**
 * Jobs: waiting → running → done, or failed after a few attempts. One that is running is claimed by a node; one whose node
 * is gone is begun again from the start, which changes nothing that it has done.
 */
import { type Selectable, sql } from 'kysely';
import type { Claimer, JobCounts } from '../../base/jobs/index.ts';
import { claimDue, holdClaim, nextClaimAt, released, unclaimed } from '../../ports/state/claims.ts';
import type { SymbolicationJobTable } from '../../ports/state/schema.ts';
import type { State } from '../../ports/state/state.ts';
import { exports as texts } from '../../base/texts/requests.ts';

/** Which events: those that waited for these scripts, those of a release, or one that somebody asks for. */
export interface Wanted {
  readonly debugIds?: readonly string[];
  /** With `dist`: events of it with scripts that have no debug id. */
  readonly release?: string;
  readonly dist?: string;
  readonly eventId?: string;
}

export interface Job {
  readonly id: number;
  readonly projectId: number;
  readonly wanted: Wanted;
  /** This one included. */
  readonly attempts: number;
  /** ms since the epoch. */
  readonly createdAt: number;
}

export interface Progress {
  readonly running: boolean;
  /** Events, of the jobs that are not over; of the last job when all are. */
  readonly done: number;
  readonly total: number;
  /** Events that got lines of sources. */
  readonly mapped: number;
  /** When the first of them was asked for, ms since the epoch. */
  readonly since: number | null;
  readonly finishedAt: number | null;
  /** '' or what went wrong or was left out. */
  readonly detail: string;
}

const maxAttempts = 3;
const keptMs = 30 * 24 * 60 * 60_000;

export async function addJobs(state: State, projectIds: readonly number[], wanted: Wanted, now: number): Promise<void> {
  await state.transaction(async (trx) => {
    await trx
      .deleteFrom('symbolication_job')
      .where('finished_at', '<', now - keptMs)
      .execute();
    for (const projectId of projectIds) {
      await trx
        .insertInto('symbolication_job')
        .values({
          project_id: projectId,
          wanted: JSON.stringify(wanted),
          state: 'waiting',
          ...unclaimed(now),
          total: 0,
          done: 0,
          mapped: 0,
          detail: '',
          created_at: now,
          finished_at: null,
        })
        .execute();
    }
  });
}

const open = { table: 'symbolication_job', ready: sql`state in ('waiting', 'running')` } as const;

/** The longest that waits, claimed and marked as running; undefined when there is none. One that was begun too often fails. */
export async function takeJob(state: State, claimer: Claimer): Promise<Job | undefined> {
  for (;;) {
    const set = { state: 'running', done: 0, mapped: 0, total: 0 } as const;
    const [row] = await claimDue(state, { ...open, set, limit: 1 }, claimer);
    if (!row) return undefined;
    if (row.attempts <= maxAttempts) return toJob(row);
    await finishJob(
      state,
      { id: row.id, node: claimer.node },
      { state: 'failed', detail: row.detail || texts.interrupted },
    );
  }
}

/** When there is something to do, ms since the epoch; undefined when nothing waits. */
export const nextJobAt = (state: State): Promise<number | undefined> => nextClaimAt(state, open);

/** False when it is another node's. */
export const holdJob = async (state: State, id: number, claimer: Claimer): Promise<boolean> =>
  (await holdClaim(state.db, { ...open, ready: sql`id = ${id}` }, claimer)) !== undefined;

export async function countJobs(state: State): Promise<JobCounts> {
  const rows = await state.db
    .selectFrom('symbolication_job')
    .select(({ fn }) => ['state', fn.countAll<number | string>().as('count')])
    .where('state', 'in', ['waiting', 'running'])
    .groupBy('state')
    .execute();
  const of = (name: string): number => Number(rows.find((row) => row.state === name)?.count ?? 0);
  return { waiting: of('waiting'), running: of('running') };
}

/** Which job, and the node that has claimed it. */
export interface ClaimedJob {
  readonly id: number;
  readonly node: string;
}

/** Of what is another node's by now that one says how far it is. */
export async function noteProgress(
  state: State,
  { id, node }: ClaimedJob,
  progress: { readonly total: number; readonly done: number; readonly mapped: number },
): Promise<void> {
  await state.db
    .updateTable('symbolication_job')
    .set(progress)
    .where('id', '=', id)
    .where('claimed_by', '=', node)
    .execute();
}

export type JobEnd =
  | { readonly state: 'done' | 'failed'; readonly detail: string }
  /** It is tried again after so many ms; `counts` unless it was only put off. */
  | { readonly state: 'waiting'; readonly detail: string; readonly afterMs: number; readonly counts: boolean };

/** What is another node's by now is left to it. */
export async function finishJob(state: State, { id, node }: ClaimedJob, end: JobEnd): Promise<void> {
  const now = Date.now();
  await state.db
    .updateTable('symbolication_job')
    .set((eb) => ({
      state: end.state,
      detail: end.detail.slice(0, 1_000),
      ...released,
      ...(end.state === 'waiting'
        ? { due_at: now + end.afterMs, ...(!end.counts && { attempts: eb('attempts', '-', 1) }) }
        : { finished_at: now }),
    }))
    .where('id', '=', id)
    .where('claimed_by', '=', node)
    .where('state', '=', 'running')
    .execute();
}

export async function progressOf(state: State, projectId: number): Promise<Progress> {
  const jobs = await state.db
    .selectFrom('symbolication_job')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  const open = jobs.filter((job) => job.state === 'waiting' || job.state === 'running');
  const shown = open.length ? open : jobs.slice(0, 1);
  const sum = (count: (job: Selectable<SymbolicationJobTable>) => number): number =>
    shown.reduce((all, job) => all + count(job), 0);
  return {
    running: open.length > 0,
    done: sum((job) => job.done),
    total: sum((job) => job.total),
    mapped: sum((job) => job.mapped),
    since: shown.at(-1)?.created_at ?? null,
    finishedAt: open.length ? null : (shown[0]?.finished_at ?? null),
    detail: shown.find((job) => job.detail !== '')?.detail ?? '',
  };
}

const toJob = ({ id, project_id, wanted, attempts, created_at }: Selectable<SymbolicationJobTable>): Job => ({
  id,
  projectId: project_id,
  wanted: JSON.parse(wanted) as Wanted,
  attempts,
  createdAt: created_at,
});
