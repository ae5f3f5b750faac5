/**
 * Stored events get lines of sources when their maps come late: a thread that is there only while there are jobs. Jobs are
 * claimed one by one, so that several nodes share them.
 */
import { type Claimer, createAlarm, type Job, runThread } from '../../base/jobs/index.ts';
import type { Live } from '../../base/live.ts';
import type { State } from '../../ports/state/state.ts';
import { addJobs, countJobs, nextJobAt, type Progress, progressOf, type Wanted } from './jobs.ts';
import type { FromSymbolication, SymbolicationSetup } from './messages.ts';
import { jobs as jobTexts } from '../../base/texts/jobs.ts';

export interface SymbolicationOptions extends Omit<SymbolicationSetup, 'state' | 'claimer'> {
  readonly state: State;
  readonly stateOptions: SymbolicationSetup['state'];
  readonly live: Live;
  /** Told before events of the project are. */
  readonly onRevising?: ((projectId: number) => void) | undefined;
}

export interface Symbolication {
  readonly job: Job;
  /** Symbolicates again what waits for these scripts, soon. */
  again(projectIds: readonly number[], wanted: Wanted): Promise<void>;
  progress(projectId: number): Promise<Progress>;
}

/** What another node has left is found so often, ms. */
const everyMs = 5_000;

export function createSymbolication(options: SymbolicationOptions): Symbolication {
  const { state, live, stateOptions, events, blobs, days, pseudonymKey } = options;
  const alarm = createAlarm();

  async function runThere(claimer: Claimer, signal: AbortSignal): Promise<void> {
    const setup: SymbolicationSetup = { claimer, state: stateOptions, events, blobs, days, pseudonymKey };
    let failure: string | undefined;
    const onMessage = (message: FromSymbolication): void => {
      if (message.kind === 'failed') failure = message.text;
      else if (message.kind === 'revising') options.onRevising?.(message.projectId);
      else live.publish({ type: 'issues', projectId: message.projectId, issueIds: message.issueIds });
    };
    const module = new URL('./worker.ts', import.meta.url);
    await runThread({ module, name: 'symbolication', setup, oldMb: 192, youngMb: 16, onMessage }, signal);
    if (failure !== undefined) throw new Error(failure);
  }

  return {
    job: {
      name: 'symbolication',
      title: jobTexts.symbolication.title,
      nodes: 'each',
      everyMs,
      needsEvents: true,
      alarm,
      failed: jobTexts.symbolication.failed,
      async run({ signal, ...claimer }) {
        const nextAt = await nextJobAt(state);
        if (nextAt === undefined || nextAt > Date.now()) return nextAt;
        await runThere(claimer, signal);
        return nextJobAt(state);
      },
      count: () => countJobs(state),
    },
    async again(projectIds, wanted) {
      await addJobs(state, projectIds, wanted, Date.now());
      alarm.ring();
    },
    progress: (projectId) => progressOf(state, projectId),
  };
}
