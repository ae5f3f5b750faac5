/**
 * Runs all background work of a node, and keeps the table of jobs: what each does, when it ran last and runs next, what waits,
 * and why it failed last.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { defaultLeaseMs, type Job, type JobStatus, type Loop, openLoop } from '../base/jobs/index.ts';
import type { Failures } from '../base/self/index.ts';
import type { Nats } from '../ports/nats/connection.ts';
import { releaseAll, unclaimed } from '../ports/state/claims.ts';
import type { State } from '../ports/state/state.ts';
import { type JobReport, readReports, writeStatus } from './reports.ts';
import { openWake } from './wake.ts';
import { openTurns, type SharedTurns } from './turns.ts';

export interface Runner extends AsyncDisposable {
  /** Begins. Jobs that ask the events store begin when that is there. */
  start(eventsReady: Promise<unknown>): void;
  /** Of all jobs, in the order of the list. */
  report(): Promise<JobReport[]>;
  /** Breaks off what runs, as a stop does, and begins nothing until `resume`. Resolves once nothing runs. */
  hold(): Promise<void>;
  resume(): void;
}

/** Of a job that is not this node's to run. */
const elsewhere: JobStatus = {
  state: 'elsewhere',
  beganAt: null,
  endedAt: null,
  dueAt: null,
  attempts: 0,
  failure: '',
  failedAt: null,
};

export interface RunnerOptions {
  readonly state: State;
  readonly failures: Failures;
  /** What this node is called where it claims work. */
  readonly node: string;
  readonly leaseMs?: number;
  /** Which of the jobs this node runs: all unless given. Of the others it knows what the state store says. */
  readonly runs?: (job: Job) => boolean;
  /** Over which nodes wake each other's jobs; each its own alone unless given. */
  readonly nats?: Nats | undefined;
}

/** Between writes of how jobs are doing; that one fails, or no longer does, is written at once. */
const noteEveryMs = 60_000;
const firstNoteMs = 5_000;
/** The state store is asked again so often until it is there. */
const retryMs = 1_000;

/** Throws where two jobs have the same name. */
export function createRunner(jobs: readonly Job[], options: RunnerOptions): Runner {
  const { state, failures, node, leaseMs = defaultLeaseMs, runs = () => true } = options;
  const own = jobs.filter(runs);
  const names = jobs.map(({ name }) => name);
  if (new Set(names).size < names.length) throw new Error(`two jobs have the same name: ${names.join(', ')}`);
  const closing = new AbortController();
  const loops = new Map<string, Loop>();
  const wake = options.nats && openWake(jobs, options.nats);
  const statusOf = ({ name }: Job): JobStatus | undefined => loops.get(name)?.status();
  const notes = createNotes(own, { state, failures, statusOf });
  let turns: SharedTurns | undefined;
  let beginning: Promise<void> | undefined;
  let isHeld = false;

  function open(job: Job, shared: SharedTurns): void {
    if (closing.signal.aborted) return;
    const alone = job.nodes === 'one' ? { turns: shared } : {};
    const loop = openLoop(job, { node, leaseMs, failures, ...alone, onEnd: notes.note });
    if (isHeld) void loop.hold();
    loops.set(job.name, loop);
  }

  async function begin(eventsReady: Promise<unknown>): Promise<void> {
    if (!(await prepare(names, options, closing.signal))) return;
    const shared = openTurns({ state, node, leaseMs });
    turns = shared;
    for (const job of own) if (!job.needsEvents) open(job, shared);
    const openOthers = async (): Promise<void> => {
      await eventsReady;
      for (const job of own) if (job.needsEvents) open(job, shared);
    };
    void openOthers();
  }

  return {
    start(eventsReady) {
      beginning ??= begin(eventsReady);
    },
    report: () => readReports(state, jobs, (job) => statusOf(job) ?? (runs(job) ? undefined : elsewhere)),
    async hold() {
      isHeld = true;
      await Promise.all([...loops.values()].map((loop) => loop.hold()));
    },
    resume() {
      isHeld = false;
      for (const loop of loops.values()) loop.resume();
    },
    async [Symbol.asyncDispose]() {
      closing.abort();
      wake?.[Symbol.dispose]();
      await beginning;
      await Promise.all([...loops.values()].map((loop) => loop[Symbol.asyncDispose]()));
      turns?.close();
      await notes.end();
      await releaseAll(state, node).catch((error: unknown) =>
        failures.note(error, { message: 'could not release claimed work; it is free once the leases expire' }),
      );
    },
  };
}

/** What this node had claimed when it was killed is its own again. False where it was told to stop before. */
async function prepare(
  names: readonly string[],
  { state, failures, node }: RunnerOptions,
  signal: AbortSignal,
): Promise<boolean> {
  while (!signal.aborted) {
    try {
      await releaseAll(state, node);
      await addRows(state, names);
      return true;
    } catch (error) {
      failures.note(error, { message: 'could not start background work; will retry', atMostEveryMs: 60_000 });
      await delay(retryMs, undefined, { signal }).catch(() => {});
    }
  }
  return false;
}

interface NotesOptions {
  readonly state: State;
  readonly failures: Failures;
  readonly statusOf: (job: Job) => JobStatus | undefined;
}

/** Writes down now and then how jobs are doing. */
function createNotes(jobs: readonly Job[], { state, failures, statusOf }: NotesOptions) {
  const changed = new Set<string>();
  const failing = new Set<string>();
  let writing: Promise<void> = Promise.resolve();

  function write(): Promise<void> {
    const due = jobs.filter(({ name }) => changed.delete(name));
    if (!due.length) return writing;
    writing = writing
      .then(() => writeStatus(state, due, statusOf))
      .catch((error: unknown) => {
        failures.note(error, { message: 'could not store the state of background jobs', atMostEveryMs: 60_000 });
      });
    return writing;
  }
  const first = setTimeout(() => void write(), firstNoteMs).unref();
  const timer = setInterval(() => void write(), noteEveryMs).unref();

  return {
    note({ name }: Job, { attempts }: JobStatus): void {
      changed.add(name);
      const wasFailing = failing.has(name);
      if (attempts > 0 === wasFailing) return;
      if (wasFailing) failing.delete(name);
      else failing.add(name);
      void write();
    },
    async end(): Promise<void> {
      clearTimeout(first);
      clearInterval(timer);
      await write();
    },
  };
}

async function addRows(state: State, names: readonly string[]): Promise<void> {
  if (!names.length) return;
  const rows = await state.db.selectFrom('job').select('name').execute();
  const known = new Set(rows.map(({ name }) => name));
  const missing = names.filter((name) => !known.has(name));
  if (!missing.length) return;
  const row = {
    ...unclaimed(Date.now()),
    began_at: null,
    ended_at: null,
    detail: '',
    failed_at: null,
    waiting: null,
    running: null,
    noted_at: 0,
  };
  await state.db
    .insertInto('job')
    .values(missing.map((name) => ({ ...row, name })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
