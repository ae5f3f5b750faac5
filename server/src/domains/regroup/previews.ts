/** Previews of changed rules, each in a thread of its own. */
import { setTimeout as delay } from 'node:timers/promises';
import { runThread } from '../../base/jobs/index.ts';
import type { RuleProblem } from '../../process/steps/group/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { previews as texts } from '../../base/texts/grouping.ts';
import type { State } from '../../ports/state/state.ts';
import * as shared from '../previews/index.ts';
import type { FromPreview, PreviewResult, PreviewSetup } from './messages.ts';
import type { RegroupRequest } from './regroup.ts';

export interface PreviewsOptions {
  readonly state: State;
  /** How a thread opens it. */
  readonly stateOptions: PreviewSetup['state'];
  readonly events: PreviewSetup['events'];
  readonly node: string;
  readonly failures: Failures;
}

interface About {
  /** Of the rules, found when it was started. */
  readonly problems: readonly FieldProblem[];
}

export type Preview = shared.Preview<About, PreviewResult>;

export interface FieldProblem extends RuleProblem {
  readonly field: 'fingerprintingRules' | 'groupingEnhancements' | 'groupingConfig';
}

export interface Previews extends AsyncDisposable {
  /** Throws PREVIEWS_FULL while enough are running. */
  start(request: RegroupRequest, problems: readonly FieldProblem[]): Promise<Preview>;
  /**
   * Before new rules are saved: gives the hashes that events of the last days would have to the issues that have such
   * events, so that those to come are found there. Waits for it a few seconds at most. Never throws.
   */
  adopt(request: RegroupRequest): Promise<void>;
  /** Undefined where there is none of that project. */
  find(projectId: number, id: string): Promise<Preview | undefined>;
  /** False where there is none. */
  cancel(projectId: number, id: string): Promise<boolean>;
}

const maxRunning = 2;
const keepMs = 10 * 60_000;
/** Who saves rules waits so long; then it goes on by itself, and no longer than that. */
const adoptWaitMs = 5_000;
const adoptMs = 60_000;
const memory = { oldMb: 256, youngMb: 16 };

type Ended = Exclude<FromPreview, { readonly kind: 'progress' }>;

/** What a thread said of its end. */
class Failed extends Error {
  readonly isExpected: boolean;

  constructor({ text, expected }: Extract<Ended, { readonly kind: 'failed' }>) {
    super(text);
    this.isExpected = expected;
  }
}

export function openPreviews({ state, stateOptions, events, node, failures }: PreviewsOptions): Previews {
  const previews = shared.openPreviews<About, PreviewResult>({
    state,
    node,
    kind: 'grouping',
    maxRunning,
    keepMs,
    failures,
    explain: (error) =>
      error instanceof Failed && error.isExpected
        ? { detail: texts.noStore }
        : { detail: texts.failed, message: texts.noted },
  });
  /** By project. */
  const adopting = new Map<number, { readonly ended: Promise<void>; readonly stop: AbortController }>();

  async function runOne(
    { request, adopt }: Pick<PreviewSetup, 'request' | 'adopt'>,
    { signal, onProgress }: Parameters<shared.PreviewTask<PreviewResult>>[0],
  ): Promise<PreviewResult> {
    const setup: PreviewSetup = { state: stateOptions, events, request, adopt };
    const module = new URL('./worker.ts', import.meta.url);
    const said: Ended[] = [];
    const onMessage = (message: FromPreview): void => {
      if (message.kind === 'progress') onProgress(message.share);
      else said.push(message);
    };
    // All that it does is thrown away, so it is not asked to end.
    await runThread<FromPreview>({ module, name: 'preview', setup, ...memory, onMessage, graceMs: 0 }, signal);
    const [end] = said;
    if (end?.kind === 'done') return end.result;
    throw end ? new Failed(end) : new Error('the thread stopped');
  }

  return {
    async start(request, problems) {
      const scope = String(request.projectId);
      const started = await previews.start(scope, { problems }, (task) => runOne({ request, adopt: false }, task));
      return started.now();
    },
    async adopt(request) {
      const { projectId } = request;
      const before = adopting.get(projectId);
      // Who saves twice means the second.
      before?.stop.abort();
      await before?.ended;
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(adoptMs)]);
      const run = async (): Promise<void> => {
        try {
          await runOne({ request, adopt: true }, { signal, onProgress: () => {} });
        } catch (error) {
          if (!signal.aborted) failures.note(error, { message: texts.notAdopted });
        } finally {
          if (adopting.get(projectId)?.stop === stop) adopting.delete(projectId);
        }
      };
      const ended = run();
      adopting.set(projectId, { ended, stop });
      await Promise.race([ended, delay(adoptWaitMs, undefined, { ref: false })]);
    },
    find: (projectId, id) => previews.find(String(projectId), id),
    cancel: (projectId, id) => previews.cancel(String(projectId), id),
    async [Symbol.asyncDispose]() {
      const all = [...adopting.values()];
      for (const { stop } of all) stop.abort();
      await Promise.all([previews[Symbol.asyncDispose](), ...all.map(({ ended }) => ended)]);
    },
  };
}
