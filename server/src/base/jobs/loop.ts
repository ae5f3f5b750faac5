/**
 * Runs one job for as long as the program runs.
 *
 *     waiting ── due, or the alarm rings ──► running ── ended or failed ──► waiting
 *        └── due, another node has it ─────► elsewhere ── a while later ──► waiting
 *
 * A run that fails is noted and tried again, later each time; nothing ends the loop but `close`, which lets a run that is
 * under way end. Pauses are measured on a clock that nobody puts back.
 */
import { CodedError } from '../errors.ts';
import type { Failures } from '../self/index.ts';
import { defaultLeaseMs, LeaseLost } from './heartbeat.ts';
import type { Job, JobStatus } from './job.ts';

/** Who runs it next. For jobs that one node runs at a time. */
export interface Turns {
  /**
   * Where it is not this node's turn: in how many ms to ask again, and whether another node has it. `isRung`: there is
   * something to do, whenever it was to run next.
   */
  take(job: Job, isRung?: boolean): Promise<Turn | { readonly afterMs: number; readonly isClaimed: boolean }>;
}

export interface Turn {
  readonly isFresh: boolean;
  /** Aborted when another node has taken it over. */
  readonly signal: AbortSignal;
  /** `afterMs`: until the next run. `attempts`: runs that failed in a row. */
  end(ran: { readonly afterMs: number; readonly attempts: number }): Promise<void>;
}

export interface LoopOptions {
  readonly node: string;
  readonly leaseMs?: number;
  readonly failures: Failures;
  /** Every run is this node's unless given. */
  readonly turns?: Turns;
  /** After each run, and when it fails. */
  readonly onEnd?: (job: Job, status: JobStatus) => void;
}

export interface Loop extends AsyncDisposable {
  readonly job: Job;
  status(): JobStatus;
  /** Breaks off the run that is under way, as a stop does, and begins none until `resume`. Resolves once none runs. */
  hold(): Promise<void>;
  resume(): void;
}

const firstRetryMs = 1_000;
const longestRetryMs = 60_000;
const longestTimerMs = 2 ** 31 - 1;

export function openLoop(job: Job, { node, leaseMs = defaultLeaseMs, failures, turns, onEnd }: LoopOptions): Loop {
  const closing = new AbortController();
  let status: JobStatus = {
    state: 'waiting',
    beganAt: null,
    endedAt: null,
    dueAt: null,
    attempts: 0,
    failure: '',
    failedAt: null,
  };
  /** On the steady clock. */
  let dueAt = Infinity;
  let endPause = (): void => {};
  let holding = new AbortController();
  let resumed = Promise.resolve();
  let resume = (): void => {};
  let lastRun = Promise.resolve();
  let isRung = false;

  const stopListening = job.alarm?.listen((afterMs) => {
    isRung = true;
    dueAt = Math.min(dueAt, performance.now() + afterMs);
    endPause();
  });

  function putOff(afterMs: number, state: JobStatus['state']): void {
    // What rang meanwhile is not put off.
    dueAt = Math.min(dueAt, performance.now() + afterMs);
    status = { ...status, state, dueAt: Date.now() + Math.max(0, dueAt - performance.now()) };
  }

  async function pause(): Promise<void> {
    for (;;) {
      const leftMs = dueAt - performance.now();
      if (leftMs <= 0 || closing.signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, longestTimerMs)).unref();
        endPause = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async function runOnce(): Promise<void> {
    const held = holding;
    const isStopped = (): boolean => closing.signal.aborted || held.signal.aborted;
    dueAt = Infinity;
    let turn: Turn | undefined;
    let afterMs = job.everyMs;
    const wasRung = isRung;
    isRung = false;
    try {
      const taken = await turns?.take(job, wasRung);
      if (taken && 'afterMs' in taken) {
        // The run that is under way elsewhere may have begun before.
        isRung ||= wasRung;
        putOff(taken.afterMs, taken.isClaimed ? 'elsewhere' : 'waiting');
        return;
      }
      turn = taken;
      status = { ...status, state: 'running', beganAt: Date.now() };
      const signal = AbortSignal.any([closing.signal, held.signal, ...(turn ? [turn.signal] : [])]);
      const nextAt = await job.run({ node, leaseMs, isFresh: turn?.isFresh ?? status.endedAt === null, signal });
      if (nextAt !== undefined) afterMs = Math.min(afterMs, Math.max(0, nextAt - Date.now()));
      status = { ...status, endedAt: Date.now(), attempts: 0 };
    } catch (error) {
      // What a stop has broken off is due at once, wherever it is taken up.
      afterMs = (isStopped() ? 0 : noteFailure(error)) ?? afterMs;
    }
    putOff(afterMs, 'waiting');
    onEnd?.(job, status);
    const { attempts } = status;
    await turn?.end({ afterMs, attempts }).catch((error: unknown) => void (isStopped() || noteFailure(error)));
  }

  /** How long to wait before the next attempt, ms; undefined where nothing was wrong with this one. */
  function noteFailure(error: unknown): number | undefined {
    if (closing.signal.aborted || error instanceof LeaseLost) return undefined;
    const attempts = status.attempts + 1;
    const now = Date.now();
    const failure = error instanceof Error ? error.message : String(error);
    status = { ...status, endedAt: now, attempts, failure: failure.split('\n', 1)[0] ?? '', failedAt: now };
    // A store that is away comes back by itself, and is told of elsewhere.
    if (!isAway(error)) failures.note(error, { message: job.failed });
    return Math.min(longestRetryMs, Math.min(firstRetryMs, job.everyMs) * 2 ** Math.min(attempts - 1, 16));
  }

  async function run(): Promise<void> {
    putOff(job.firstMs ?? 0, 'waiting');
    for (;;) {
      await pause();
      await resumed;
      if (closing.signal.aborted) break;
      lastRun = runOnce();
      await lastRun;
    }
    await job.close?.();
  }
  const running = run();

  return {
    job,
    status: () => status,
    hold() {
      if (!holding.signal.aborted) {
        ({ promise: resumed, resolve: resume } = Promise.withResolvers<void>());
        holding.abort(new Error('background work is paused'));
      }
      return lastRun;
    },
    resume() {
      if (!holding.signal.aborted) return;
      holding = new AbortController();
      resume();
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the server is stopping'));
      stopListening?.();
      endPause();
      resume();
      await running;
    },
  };
}

const awayCodes: ReadonlySet<string> = new Set(['ENGINE_UNAVAILABLE', 'STATE_UNAVAILABLE']);

const isAway = (error: unknown): boolean => error instanceof CodedError && awayCodes.has(error.code);
