/**
 * Looks for performance problems in what was stored, a short wait after it came: a thread that is there only while suspects
 * are due. They are claimed a few at a time, so that several nodes share them.
 */
import type { Logger } from 'pino';
import { type Claimer, createAlarm, type Job, runThread } from '../../base/jobs/index.ts';
import type { Live } from '../../base/live.ts';
import type { State } from '../../ports/state/state.ts';
import type { ExaminerSetup, FromExaminer } from './messages.ts';
import { countSuspects, nextDue } from './suspects.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

export interface ExaminerOptions extends Omit<ExaminerSetup, 'state' | 'claimer'> {
  readonly state: State;
  readonly stateOptions: ExaminerSetup['state'];
  readonly live: Live;
  readonly logger: Logger;
}

export interface Examiner {
  readonly job: Job;
  /** Suspects were noted. */
  wake(): void;
}

/** What another node has left is found so often, ms. */
const everyMs = 15_000;
/** Starting the thread costs as much as many rounds. */
const retryMs = 5_000;

export function createExaminer(options: ExaminerOptions): Examiner {
  const { state, stateOptions, events, live, logger, waitMs } = options;
  const alarm = createAlarm();

  async function runThere(claimer: Claimer, signal: AbortSignal): Promise<void> {
    const setup: ExaminerSetup = { claimer, state: stateOptions, events, waitMs };
    let failed: Extract<FromExaminer, { kind: 'failed' }> | undefined;
    const onMessage = (message: FromExaminer): void => {
      if (message.kind === 'failed') failed = message;
      else live.publish({ type: 'events', ...message.project, digests: [] });
    };
    const module = new URL('./worker.ts', import.meta.url);
    await runThread({ module, name: 'performance', setup, oldMb: 192, youngMb: 16, onMessage }, signal);
    if (!failed) return;
    if (!failed.expected) throw new Error(failed.text);
    logger.warn(`performance problems are waiting: ${failed.text.split('\n', 1)[0]}`);
  }

  return {
    job: {
      name: 'performance-problems',
      title: jobTexts.performanceProblems.title,
      nodes: 'each',
      everyMs,
      needsEvents: true,
      alarm,
      failed: jobTexts.performanceProblems.failed,
      async run({ signal, ...claimer }) {
        const nextAt = await nextDue(state);
        if (nextAt === undefined || nextAt > Date.now()) return nextAt;
        await runThere(claimer, signal);
        // What the thread has left was not due for a while, or a store was away.
        return Math.max((await nextDue(state)) ?? Infinity, Date.now() + retryMs);
      },
      count: () => countSuspects(state),
    },
    wake: () => alarm.ring(waitMs),
  };
}
