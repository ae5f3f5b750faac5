/**
 * Stored events get lines of sources when their maps come late.
 *
 * The thread: none → running (there are jobs) → none. One that dies or fails is started again after a while, as long as
 * there are jobs that were not begun too often.
 */
import { Worker } from 'node:worker_threads';
import type { Live } from '../live/live.ts';
import type { Failures } from '../self/index.ts';
import type { State } from '../state/state.ts';
import { addJobs, type Progress, progressOf, resumeJobs, type Wanted } from './jobs.ts';
import type { FromSymbolication, SymbolicationSetup, ToSymbolication } from './messages.ts';

export interface SymbolicationOptions extends Omit<SymbolicationSetup, 'state'> {
  readonly state: State;
  readonly stateOptions: SymbolicationSetup['state'];
  readonly live: Live;
  readonly failures: Failures;
}

export interface Symbolication extends AsyncDisposable {
  /** Symbolicates again what waits for these scripts, soon. */
  again(projectIds: readonly number[], wanted: Wanted): Promise<void>;
  progress(projectId: number): Promise<Progress>;
}

const retryMs = 2_000;
const memoryLimits = { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 };

export async function openSymbolication(options: SymbolicationOptions): Promise<Symbolication> {
  const { state, live, failures } = options;
  let worker: Worker | undefined;
  let wanted = false;
  let closing = false;
  let timer: NodeJS.Timeout | undefined;

  function start(): void {
    wanted = true;
    if (worker || closing || timer) return;
    wanted = false;
    const setup: SymbolicationSetup = {
      state: options.stateOptions,
      events: options.events,
      blobs: options.blobs,
      days: options.days,
    };
    const thread = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      name: 'symbolication',
      resourceLimits: memoryLimits,
    });
    worker = thread;
    let failed = false;
    thread.on('message', (message: FromSymbolication) => {
      if (message.kind === 'progress') {
        live.publish({ type: 'issues', projectId: message.projectId, issueIds: message.issueIds });
        return;
      }
      failed = true;
      failures.note(new Error(message.text), { message: 'events could not be symbolicated again; it is tried again' });
    });
    thread.on('error', (error) => {
      failed = true;
      failures.note(error, { message: 'the symbolication thread failed; it is started again' });
    });
    thread.on('exit', () => {
      worker = undefined;
      if (closing) return;
      if (!failed) {
        if (wanted) start();
        return;
      }
      timer = setTimeout(() => {
        timer = undefined;
        resume().catch((error: unknown) => failures.note(error, { message: 'symbolication cannot be taken up again' }));
      }, retryMs).unref();
    });
  }

  async function resume(): Promise<void> {
    if (await resumeJobs(state)) start();
  }

  await resume();

  return {
    async again(projectIds, what) {
      await addJobs(state, projectIds, what, Date.now());
      start();
    },
    progress: (projectId) => progressOf(state, projectId),
    async [Symbol.asyncDispose]() {
      closing = true;
      clearTimeout(timer);
      const thread = worker;
      if (!thread) return;
      const ended = new Promise((resolve) => thread.once('exit', resolve));
      thread.postMessage({ kind: 'stop' } satisfies ToSymbolication, []);
      const limit = setTimeout(() => void thread.terminate(), 3_000);
      await ended;
      clearTimeout(limit);
    },
  };
}
