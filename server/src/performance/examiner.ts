/**
 * Looks for performance problems in what was stored, a short wait after it came.
 *
 * The thread: none → waiting (a suspect will be due) → running → waiting or none. One that dies or fails is started
 * again after a while.
 */
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Live } from '../live/live.ts';
import type { Failures } from '../self/index.ts';
import type { State } from '../state/state.ts';
import type { ExaminerSetup, FromExaminer, ToExaminer } from './messages.ts';
import { nextDue } from './suspects.ts';

export interface ExaminerOptions extends Omit<ExaminerSetup, 'state'> {
  readonly state: State;
  readonly stateOptions: ExaminerSetup['state'];
  readonly live: Live;
  readonly failures: Failures;
  readonly logger: Logger;
}

export interface Examiner extends AsyncDisposable {
  /** Suspects were noted. */
  wake(): void;
}

const retryMs = 5_000;
const memoryLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

export async function openExaminer(options: ExaminerOptions): Promise<Examiner> {
  const { state, live, failures, logger, waitMs } = options;
  let worker: Worker | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** When the timer starts the thread, ms since the epoch. */
  let startsAt = Infinity;
  /** While the thread was running. */
  let woken = false;
  let closing = false;

  function startAt(at: number): void {
    if (closing || at >= startsAt) return;
    clearTimeout(timer);
    startsAt = at;
    timer = setTimeout(start, Math.min(Math.max(0, at - Date.now()), 2 ** 31 - 1)).unref();
  }

  function start(): void {
    startsAt = Infinity;
    if (worker || closing) return;
    woken = false;
    const setup: ExaminerSetup = { state: options.stateOptions, events: options.events, waitMs };
    const thread = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      name: 'performance',
      resourceLimits: memoryLimits,
    });
    worker = thread;
    let nextAt: number | undefined = Date.now() + retryMs;
    thread.on('message', (message: FromExaminer) => {
      switch (message.kind) {
        case 'recorded':
          live.publish({ type: 'events', ...message.project, digests: [] });
          return;
        case 'idle':
          nextAt = message.nextAt;
          return;
        case 'failed':
          if (message.expected) logger.warn(`performance problems wait: ${message.text.split('\n', 1)[0]}`);
          else failures.note(new Error(message.text), { message: 'spans could not be examined; it is tried again' });
      }
    });
    thread.on('error', (error) =>
      failures.note(error, { message: 'the examining thread failed; it is started again' }),
    );
    thread.on('exit', () => {
      worker = undefined;
      if (woken) startAt(Date.now() + waitMs);
      if (nextAt !== undefined) startAt(nextAt);
    });
  }

  const due = await nextDue(state);
  if (due !== undefined) startAt(due);

  return {
    wake() {
      woken = true;
      if (!worker) startAt(Date.now() + waitMs);
    },
    async [Symbol.asyncDispose]() {
      closing = true;
      clearTimeout(timer);
      const thread = worker;
      if (!thread) return;
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage({ kind: 'stop' } satisfies ToExaminer, []);
      const limit = setTimeout(() => void thread.terminate(), 3_000);
      await ended;
      clearTimeout(limit);
    },
  };
}
