/**
 * Indexes uploaded bundles in a thread of its own, one at a time, and clears away between two of them what nobody uses.
 *
 * A bundle: created → handed to the thread → ok, and told of, or error, as its row says
 *                                          | thread died or stood still at a map: again, without that map
 *                                          | stores cannot be reached: again, after a while.
 * The thread: none → started for the first bundle → busy or idle → ended after `idleMs`, or dead → none.
 * What a crash interrupts is found by its state at the next start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import {
  type Claimer,
  createAlarm,
  type Job,
  type JobContext,
  LeaseLost,
  startThread,
  withHeartbeat,
} from '../../../base/jobs/index.ts';
import { steadyMs } from '../../../base/steady.ts';
import type { Blobs } from '../../../ports/blobs/blobs.ts';
import type { BlobsOptions } from '../../../ports/blobs/open.ts';
import type { Failures } from '../../../base/self/index.ts';
import type { StateOptions } from '../../../ports/state/open.ts';
import type { State } from '../../../ports/state/state.ts';
import { indexingHeapMb, slowestMapMs } from '../limits.ts';
import { sweepArtifacts } from '../retention.ts';
import { BundleError } from '../bundle/bundle-error.ts';
import { bundleProblems, mapProblems } from '../../../base/texts/artifacts.ts';
import {
  type FromIndexing,
  type IndexedBundle,
  type IndexingSetup,
  progressSlots,
  type ToIndexing,
} from './messages.ts';
import {
  claimBundle,
  type ClaimedBundle,
  countBundles,
  holdBundle,
  indexVersion,
  nextBundleAt,
  readBundle,
  readIndexed,
  releaseBundle,
  writeError,
} from './rows.ts';
import { jobs as jobTexts } from '../../../base/texts/jobs.ts';

export interface IndexerOptions {
  readonly state: State;
  readonly stateOptions: StateOptions;
  readonly blobs: Blobs;
  readonly blobsOptions: BlobsOptions;
  readonly failures: Failures;
  readonly logger: Logger;
  /** Days after its last use or upload that a bundle is deleted; never less than 90. */
  readonly retentionDays?: number;
  /**
   * Told about every bundle whose artifacts can be used from now on, or by further projects: once, and again where the
   * node dies before it has answered.
   */
  readonly onIndexed: (bundle: IndexedBundle) => Promise<void>;
  /** Smaller in tests. */
  readonly heapMb?: number;
  readonly slowestMs?: number;
}

export interface IndexerStats {
  /** The bundle that is being worked on. */
  readonly bundleId: number | undefined;
  /** Bundles that were gone through since the start, refused ones too. */
  readonly bundles: number;
  /** How often the thread died. */
  readonly restarts: number;
}

export interface Indexer {
  readonly jobs: readonly Job[];
  /** To be called when a bundle was created, or given to further projects. */
  wake(): void;
  /** Deletes what was not used for so long that nobody will; runs when no bundle is being worked on. */
  sweep(now?: number): Promise<void>;
  stats(): IndexerStats;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
}

const idleMs = 30_000;
const watchMs = 1_000;
const sweepEveryMs = 20 * 60_000;
/** What another node has left is found so often. */
const everyMs = 5_000;
const longestWaitMs = 30_000;
/** After so many surprises a bundle is refused, so that those after it have their turn. */
const attempts = 4;

export function createIndexer(options: IndexerOptions): Indexer {
  const { state, blobs, failures, logger } = options;
  const slowestMs = options.slowestMs ?? slowestMapMs;
  const progress = new Float64Array(new SharedArrayBuffer(progressSlots.count * Float64Array.BYTES_PER_ELEMENT));
  const alarm = createAlarm();
  const counts = { bundles: 0, restarts: 0 };
  let current: number | undefined;
  let worker: Worker | undefined;
  let idling: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function start(): Worker {
    const setup: IndexingSetup = {
      state: options.stateOptions,
      blobs: options.blobsOptions,
      progress: progress.buffer as SharedArrayBuffer,
    };
    const module = new URL('./worker.ts', import.meta.url);
    const started = startThread({
      module,
      name: 'indexing',
      setup,
      oldMb: options.heapMb ?? indexingHeapMb,
      youngMb: 8,
    });
    // Running out of memory is no failure of the server; what it was at is tried again in another way.
    started.on('error', (error) => logger.warn({ err: error, bundleId: current }, 'the indexing thread stopped'));
    started.on('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  /** What the thread answers; undefined when it dies first. */
  function ask(message: ToIndexing): Promise<FromIndexing | undefined> {
    clearTimeout(idling);
    progress.fill(0);
    const asked = (worker ??= start());
    return new Promise((resolve) => {
      const watch = setInterval(
        () => {
          const since = progress[progressSlots.since] ?? 0;
          if (progress[progressSlots.pair] && steadyMs() - since > slowestMs) void asked.terminate();
        },
        Math.min(watchMs, slowestMs),
      );
      const done = (answer: FromIndexing | undefined): void => {
        clearInterval(watch);
        asked.off('message', done).off('exit', onExit);
        resolve(answer);
      };
      const onExit = (): void => done(undefined);
      asked.on('message', done).on('exit', onExit);
      asked.postMessage(message, []);
    });
  }

  /** Undefined where it was refused or is gone. Throws where it is broken off. */
  async function indexOne(bundleId: number, node: string, signal: AbortSignal): Promise<IndexedBundle | undefined> {
    const skip = new Map<number, string>();
    let surprises = 0;
    for (let waitMs = 200; ; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      signal.throwIfAborted();
      const answer = await ask({ kind: 'bundle', bundleId, node, skip });
      signal.throwIfAborted();
      if (answer?.kind === 'done') {
        counts.bundles += 1;
        return answer.bundle;
      }
      if (answer === undefined) {
        counts.restarts += 1;
        const pair = progress[progressSlots.pair] ?? 0;
        const tookMs = steadyMs() - (progress[progressSlots.since] ?? 0);
        if (pair > 0 && !skip.has(pair)) {
          skip.set(
            pair,
            tookMs > slowestMs
              ? mapProblems.tooSlow(Math.round(slowestMs / 1000))
              : mapProblems.tooMuchMemory(options.heapMb ?? indexingHeapMb),
          );
          continue;
        }
      } else if (answer.expected) {
        logger.warn({ bundleId }, `a bundle is waiting to be indexed: ${answer.stack.split('\n', 1)[0]}`);
        await delay(waitMs, undefined, { signal }).catch(() => {});
        continue;
      }
      surprises += 1;
      const error = new Error(answer?.stack ?? 'the indexing thread stopped while it verified a bundle');
      failures.note(error, { message: 'could not index a bundle', fields: { bundleId } });
      if (surprises >= attempts) {
        await giveUp(bundleId, node, error);
        return undefined;
      }
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  async function giveUp(bundleId: number, node: string, cause: Error): Promise<void> {
    const bundle = await readBundle(state, bundleId, node);
    const error = new BundleError(bundleProblems.unreadable, { mayPass: true, cause });
    if (bundle) await writeError(state, bundle, error);
  }

  /** Work of one kind or the other, one after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = Promise.allSettled([done]);
    return done;
  }

  async function workOn(bundle: ClaimedBundle, claimer: Claimer, signal: AbortSignal): Promise<void> {
    const keep = (): Promise<boolean> => holdBundle(state, bundle.id, claimer);
    let isThrough = false;
    try {
      await withHeartbeat({ keep, leaseMs: claimer.leaseMs, signal }, async (held) => {
        const indexed = bundle.isIndexed
          ? await readIndexed(state, bundle.id)
          : await indexOne(bundle.id, claimer.node, held);
        if (indexed) await options.onIndexed(indexed);
      });
      isThrough = true;
    } catch (error) {
      if (!(error instanceof LeaseLost) && !signal.aborted) throw error;
    } finally {
      await releaseBundle(state, bundle, claimer, isThrough);
    }
  }

  async function indexAll({ signal, ...claimer }: JobContext): Promise<void> {
    const stop = (): void => void worker?.terminate();
    signal.addEventListener('abort', stop, { once: true });
    try {
      while (!signal.aborted) {
        const bundle = await claimBundle(state, indexVersion, claimer);
        if (!bundle) break;
        current = bundle.id;
        await workOn(bundle, claimer, signal);
      }
    } finally {
      signal.removeEventListener('abort', stop);
      current = undefined;
      endWhenIdle();
    }
  }

  function endWhenIdle(): void {
    clearTimeout(idling);
    idling = setTimeout(() => {
      // The next bundle gets a thread that is not about to end.
      void worker?.terminate();
      worker = undefined;
    }, idleMs).unref();
  }

  const sweep = (now = Date.now()): Promise<void> =>
    inTurn(() => sweepArtifacts({ state, blobs }, { retentionDays: options.retentionDays ?? 0, now }));

  return {
    jobs: [
      {
        name: 'source-maps',
        title: jobTexts.sourceMaps.title,
        nodes: 'each',
        everyMs,
        alarm,
        failed: jobTexts.sourceMaps.failed,
        async run(context) {
          await inTurn(() => indexAll(context));
          return nextBundleAt(state, indexVersion);
        },
        count: () => countBundles(state, indexVersion),
        async close() {
          clearTimeout(idling);
          await worker?.terminate();
          await turn;
          clearTimeout(idling);
        },
      },
      {
        name: 'source-map-expiry',
        title: jobTexts.sourceMapExpiry.title,
        nodes: 'one',
        everyMs: sweepEveryMs,
        failed: jobTexts.sourceMapExpiry.failed,
        run: () => sweep(),
      },
    ],
    wake: () => alarm.ring(),
    sweep,
    stats: () => ({ bundleId: current, ...counts }),
    async idle() {
      for (;;) {
        await turn;
        if (current === undefined && (await nextBundleAt(state, indexVersion)) === undefined) return;
        await delay(5);
      }
    },
  };
}
