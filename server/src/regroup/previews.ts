/**
 * Previews of changed rules, each in a thread of its own.
 *
 * A preview: running → done | failed, forgotten ten minutes after it was last asked for; gone at once when it is broken off.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { CodedError } from '../errors.ts';
import type { RuleProblem } from '../process/steps/group/index.ts';
import type { Failures } from '../self/index.ts';
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
const notAdopted = 'issues could not be found for the hashes of new rules; events by them may make new issues';
const memoryLimits = { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 };

interface Entry {
  preview: Preview;
  worker: Worker | undefined;
  askedAt: number;
}

export function openPreviews({ state, events, failures }: PreviewsOptions): Previews {
  const entries = new Map<string, Entry>();
  /** By project. */
  const adopting = new Map<number, Worker>();

  function forgetOld(): void {
    const before = Date.now() - keepMs;
    for (const [id, { askedAt, worker }] of entries) {
      if (askedAt >= before && entries.size <= maxKept) continue;
      entries.delete(id);
      void worker?.terminate();
    }
  }

  function startThread(request: RegroupRequest, adopt: boolean): Worker {
    const setup: PreviewSetup = { state, events, request, adopt };
    const options = { workerData: setup, name: 'preview', resourceLimits: memoryLimits };
    return new Worker(new URL('./worker.ts', import.meta.url), options);
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
    const detail = expected
      ? 'the events store does not answer or took too long; try again, or look at fewer days'
      : 'it failed; the log of the server says why';
    entry.preview = { ...entry.preview, status: 'failed', detail };
    if (!expected) failures.note(error, { message: 'a preview of grouping rules failed' });
  }

  return {
    start(request, problems) {
      forgetOld();
      const running = [...entries.values()].filter(({ worker }) => worker !== undefined);
      if (running.length >= maxRunning) throw new CodedError('PREVIEWS_FULL', [], { retryAfter: 5 });
      const id = randomUUID().replaceAll('-', '');
      const worker = startThread(request, false);
      const { projectId } = request;
      const preview: Preview = { id, projectId, status: 'running', progress: 0, detail: '', problems };
      const entry: Entry = { preview, worker, askedAt: Date.now() };
      entries.set(id, entry);
      worker.on('message', (message: FromPreview) => hear(entry, message));
      worker.on('error', (error) => fail(entry, error, false));
      worker.on('exit', () => {
        entry.worker = undefined;
        if (entry.preview.status === 'running' && entries.has(id)) fail(entry, new Error('the thread ended'), false);
      });
      return preview;
    },
    async adopt(request) {
      const { projectId } = request;
      // Who saves twice means the second.
      await adopting.get(projectId)?.terminate();
      const worker = startThread(request, true);
      adopting.set(projectId, worker);
      worker.on('message', (message: FromPreview) => {
        if (message.kind === 'failed') failures.note(new Error(message.text), { message: notAdopted });
      });
      worker.on('error', (error) => failures.note(error, { message: notAdopted }));
      const limit = setTimeout(() => void worker.terminate(), adoptMs).unref();
      worker.once('exit', () => {
        clearTimeout(limit);
        if (adopting.get(projectId) === worker) adopting.delete(projectId);
      });
      const ended = new Promise((resolve) => worker.once('exit', resolve));
      const waited = delay(adoptWaitMs, undefined, { ref: false });
      await Promise.race([ended, waited]);
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
      await entry.worker?.terminate();
      return true;
    },
    async [Symbol.asyncDispose]() {
      const all = [...entries.values()];
      entries.clear();
      await Promise.all([
        ...all.map(({ worker }) => worker?.terminate()),
        ...[...adopting.values()].map((one) => one.terminate()),
      ]);
    },
  };
}
