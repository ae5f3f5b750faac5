/**
 * Previews of changed rules, each in a thread of its own.
 *
 * A preview: running → done | failed, forgotten ten minutes after it was last asked for; gone at once when it is broken off.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { runThread } from '../../base/jobs/index.ts';
import { CodedError } from '../../base/errors.ts';
import type { RuleProblem } from '../../process/steps/group/index.ts';
import type { Failures } from '../../base/self/index.ts';
import { previews as texts } from '../../base/texts/grouping.ts';
import type { FromPreview, PreviewResult, PreviewSetup } from './messages.ts';
import type { RegroupRequest } from './regroup.ts';

export interface PreviewsOptions extends Pick<PreviewSetup, 'state' | 'events'> {
  readonly failures: Failures;
}

export interface Preview {
  readonly id: string;
  readonly projectId: number;
  readonly status: 'running' | 'done' | 'failed';
  /** 0 to 1. */
  readonly progress: number;
  /** '' or what went wrong. */
  readonly detail: string;
  /** Of the rules, found when it was started. */
  readonly problems: readonly FieldProblem[];
  readonly result?: PreviewResult | undefined;
}

export interface FieldProblem extends RuleProblem {
  readonly field: 'fingerprintingRules' | 'groupingEnhancements' | 'groupingConfig';
}

export interface Previews extends AsyncDisposable {
  /** Throws PREVIEWS_FULL while enough are running. */
  start(request: RegroupRequest, problems: readonly FieldProblem[]): Preview;
  /**
   * Before new rules are saved: gives the hashes that events of the last days would have to the issues that have such
   * events, so that those to come are found there. Waits for it a few seconds at most. Never throws.
   */
  adopt(request: RegroupRequest): Promise<void>;
  /** Undefined where there is none of that project. */
  find(projectId: number, id: string): Preview | undefined;
  /** False where there is none. */
  cancel(projectId: number, id: string): Promise<boolean>;
}

const maxRunning = 2;
const maxKept = 100;
const keepMs = 10 * 60_000;
/** Who saves rules waits so long; then it goes on by itself, and no longer than that. */
const adoptWaitMs = 5_000;
const adoptMs = 60_000;
const memory = { oldMb: 256, youngMb: 16 };

interface Entry {
  preview: Preview;
  readonly thread: Running;
  askedAt: number;
}

interface Running {
  /** Resolves when it has ended, however it did. */
  readonly ended: Promise<void>;
  /** Nobody wants the result any more. */
  stop(): Promise<void>;
}

interface Listener {
  onMessage(message: FromPreview): void;
  onDeath(error: unknown): void;
  /** However it ended. */
  onEnd(): void;
}

export function openPreviews({ state, events, failures }: PreviewsOptions): Previews {
  const entries = new Map<string, Entry>();
  /** By project. */
  const adopting = new Map<number, Running>();

  function forgetOld(): void {
    const before = Date.now() - keepMs;
    for (const [id, { askedAt, thread }] of entries) {
      if (askedAt >= before && entries.size <= maxKept) continue;
      entries.delete(id);
      void thread.stop();
    }
  }

  function startOne(
    request: RegroupRequest,
    { adopt, onMessage, onDeath, onEnd }: Listener & { readonly adopt: boolean },
  ): Running {
    const setup: PreviewSetup = { state, events, request, adopt };
    const stopping = new AbortController();
    const module = new URL('./worker.ts', import.meta.url);
    const signal = adopt ? AbortSignal.any([stopping.signal, AbortSignal.timeout(adoptMs)]) : stopping.signal;
    // All that it does is thrown away, so it is not asked to end.
    const options = { module, name: 'preview', setup, ...memory, onMessage, graceMs: 0 };
    const ended = runThread<FromPreview>(options, signal).catch(onDeath).finally(onEnd);
    const stop = (): Promise<void> => {
      stopping.abort();
      return ended;
    };
    return { ended, stop };
  }

  function hear(entry: Entry, message: FromPreview): void {
    const { preview } = entry;
    if (message.kind === 'progress') entry.preview = { ...preview, progress: message.share };
    if (message.kind === 'done') {
      entry.preview = { ...preview, status: 'done', progress: 1, result: message.result };
    }
    if (message.kind === 'failed') fail(entry, new Error(message.text), message.expected);
  }

  function fail(entry: Entry, error: unknown, expected: boolean): void {
    const detail = expected ? texts.noStore : texts.failed;
    entry.preview = { ...entry.preview, status: 'failed', detail };
    if (!expected) failures.note(error, { message: 'a preview of grouping rules failed' });
  }

  return {
    start(request, problems) {
      forgetOld();
      const running = [...entries.values()].filter((entry) => entry.preview.status === 'running');
      if (running.length >= maxRunning) throw new CodedError('PREVIEWS_FULL', [], { retryAfter: 5 });
      const id = randomUUID().replaceAll('-', '');
      const { projectId } = request;
      const preview: Preview = { id, projectId, status: 'running', progress: 0, detail: '', problems };
      const thread = startOne(request, {
        adopt: false,
        onMessage: (message) => hear(entry, message),
        onDeath: (error) => fail(entry, error, false),
        onEnd() {
          if (entry.preview.status === 'running' && entries.has(id))
            fail(entry, new Error('the thread stopped'), false);
        },
      });
      const entry: Entry = { preview, thread, askedAt: Date.now() };
      entries.set(id, entry);
      return preview;
    },
    async adopt(request) {
      const { projectId } = request;
      // Who saves twice means the second.
      await adopting.get(projectId)?.stop();
      const thread = startOne(request, {
        adopt: true,
        onMessage(message) {
          if (message.kind === 'failed') failures.note(new Error(message.text), { message: texts.notAdopted });
        },
        onDeath: (error) => failures.note(error, { message: texts.notAdopted }),
        onEnd() {
          if (adopting.get(projectId) === thread) adopting.delete(projectId);
        },
      });
      adopting.set(projectId, thread);
      const waited = delay(adoptWaitMs, undefined, { ref: false });
      await Promise.race([thread.ended, waited]);
    },
    find(projectId, id) {
      forgetOld();
      const entry = entries.get(id);
      if (entry?.preview.projectId !== projectId) return undefined;
      entry.askedAt = Date.now();
      return entry.preview;
    },
    async cancel(projectId, id) {
      const entry = entries.get(id);
      if (entry?.preview.projectId !== projectId) return false;
      entries.delete(id);
      await entry.thread.stop();
      return true;
    },
    async [Symbol.asyncDispose]() {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all([...all.map(({ thread }) => thread), ...adopting.values()].map((thread) => thread.stop()));
    },
  };
}
