/**
 * Jobs: waiting → running → done, or failed after a few attempts. A job that was running when the server stopped is
 * begun again from the start, which changes nothing that it has done.
 */
import type { Selectable } from 'kysely';
import type { SymbolicationJobTable } from '../state/schema.ts';
import type { State } from '../state/state.ts';

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
          attempts: 0,
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

/** What was broken off waits again. Only for who runs the jobs, before it runs any. Whether there are any. */
export async function resumeJobs(state: State): Promise<boolean> {
  await state.db.updateTable('symbolication_job').set({ state: 'waiting' }).where('state', '=', 'running').execute();
  const waiting = state.db.selectFrom('symbolication_job').select('id').where('state', '=', 'waiting').limit(1);
  return (await waiting.executeTakeFirst()) !== undefined;
}

/** The next job, marked as running; undefined when there is none. One that was begun too often fails. */
export async function takeJob(state: State, now: number): Promise<Job | undefined> {
  for (;;) {
    const row = await state.db
      .selectFrom('symbolication_job')
      .selectAll()
      .where('state', '=', 'waiting')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!row) return undefined;
    if (row.attempts < maxAttempts) {
      await state.db
        .updateTable('symbolication_job')
        .set({ state: 'running', attempts: row.attempts + 1, done: 0, mapped: 0, total: 0 })
        .where('id', '=', row.id)
        .execute();
      return toJob(row);
    }
    await finishJob(state, row.id, { state: 'failed', detail: row.detail || 'it broke off too often' }, now);
  }
}

export async function noteProgress(
  state: State,
  id: number,
  progress: { readonly total: number; readonly done: number; readonly mapped: number },
): Promise<void> {
  await state.db.updateTable('symbolication_job').set(progress).where('id', '=', id).execute();
}

export async function finishJob(
  state: State,
  id: number,
  result: { readonly state: 'done' | 'failed' | 'waiting'; readonly detail: string },
  now: number,
): Promise<void> {
  const finished_at = result.state === 'waiting' ? null : now;
  await state.db
    .updateTable('symbolication_job')
    .set({ state: result.state, detail: result.detail.slice(0, 1_000), finished_at })
    .where('id', '=', id)
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

const toJob = ({ id, project_id, wanted, created_at }: Selectable<SymbolicationJobTable>): Job => ({
  id,
  projectId: project_id,
  wanted: JSON.parse(wanted) as Wanted,
  createdAt: created_at,
});
