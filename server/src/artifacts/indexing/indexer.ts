/**
 * Indexes uploaded bundles in a thread of its own, one at a time, and clears away between two of them what nobody uses.
 *
 * A bundle: created → handed to the thread → done (ok or error, as its row says)
 *                                          | thread died or stood still at a map: again, without that map
 *                                          | stores cannot be reached: again, after a while.
 * The thread: none → started for the first bundle → busy or idle → ended after `idleMs`, or dead → none.
 * What a crash interrupts is found by its state at the next start.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { Blobs } from '../../blobs/blobs.ts';
import type { BlobsOptions } from '../../blobs/open.ts';
import type { Failures } from '../../self/index.ts';
import type { StateOptions } from '../../state/open.ts';
import type { State } from '../../state/state.ts';
import { indexingHeapMb, slowestMapMs } from '../limits.ts';
import { sweepArtifacts } from '../retention.ts';
import { BundleError } from '../bundle/bundle-error.ts';
import {
  type FromIndexing,
  type IndexedBundle,
  type IndexingSetup,
  progressSlots,
  steadyMs,
  type ToIndexing,
} from './messages.ts';
import { indexVersion, nextBundle, readBundle, readIndexed, writeError } from './rows.ts';

export interface IndexerOptions {
  readonly state: State;
  readonly stateOptions: StateOptions;
  readonly blobs: Blobs;
  readonly blobsOptions: BlobsOptions;
  readonly failures: Failures;
  readonly logger: Logger;
  /** Days after its last use or upload that a bundle is deleted; never less than 90. */
  readonly retentionDays?: number;
  /** Told about every bundle whose artifacts can be used from now on, or by further projects. */
  readonly onIndexed: (bundle: IndexedBundle) => void;
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

export interface Indexer extends AsyncDisposable {
  /** To be called when a bundle was created. */
  wake(): void;
  /** Tells `onIndexed` once more, for projects that a bundle was given to later. */
  announce(bundleId: number): Promise<void>;
  /** Deletes what was not used for so long that nobody will; runs when no bundle is being worked on. */
  sweep(now?: number): Promise<void>;
  stats(): IndexerStats;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const idleMs = 30_000;
const watchMs = 1_000;
const sweepEveryMs = 6 * 60 * 60_000;
const longestWaitMs = 30_000;
/** After so many surprises a bundle is refused, so that those after it have their turn. */
const attempts = 4;

export function openIndexer(options: IndexerOptions): Indexer {
  const { state, blobs, failures, logger } = options;
  const slowestMs = options.slowestMs ?? slowestMapMs;
  const progress = new Float64Array(new SharedArrayBuffer(progressSlots.count * Float64Array.BYTES_PER_ELEMENT));
  const closing = new AbortController();
  const counts = { bundles: 0, restarts: 0 };
  let current: number | undefined;
  let worker: Worker | undefined;
  let idling: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let waiting = false;

  function start(): Worker {
    const setup: IndexingSetup = {
      state: options.stateOptions,
      blobs: options.blobsOptions,
      progress: progress.buffer as SharedArrayBuffer,
    };
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: setup,
      name: 'indexing',
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb ?? indexingHeapMb, maxYoungGenerationSizeMb: 8 },
    });
    // Running out of memory is no failure of the server; what it was at is tried again in another way.
    started.on('error', (error) => logger.warn({ err: error, bundleId: current }, 'the indexing thread ended'));
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

  async function indexOne(bundleId: number): Promise<void> {
    const skip = new Map<number, string>();
    let surprises = 0;
    for (let waitMs = 200; !closing.signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
      const answer = await ask({ kind: 'bundle', bundleId, skip });
      if (closing.signal.aborted) return;
      if (answer?.kind === 'done') {
        counts.bundles += 1;
        if (answer.bundle) options.onIndexed(answer.bundle);
        return;
      }
      if (answer === undefined) {
        counts.restarts += 1;
        const pair = progress[progressSlots.pair] ?? 0;
        const tookMs = steadyMs() - (progress[progressSlots.since] ?? 0);
        if (pair > 0 && !skip.has(pair)) {
          skip.set(pair, tookMs > slowestMs ? tooSlow(slowestMs) : tooLarge(options.heapMb ?? indexingHeapMb));
          continue;
        }
      } else if (answer.expected) {
        logger.warn({ bundleId }, `a bundle waits to be indexed: ${answer.stack.split('\n', 1)[0]}`);
        await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
        continue;
      }
      surprises += 1;
      const error = new Error(answer?.stack ?? 'the indexing thread ended while it verified a bundle');
      failures.note(error, { message: 'a bundle could not be indexed', fields: { bundleId } });
      if (surprises >= attempts) return giveUp(bundleId, error);
      await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  async function giveUp(bundleId: number, cause: Error): Promise<void> {
    const bundle = await readBundle(state, bundleId);
    const sentence = 'the server could not read the bundle, its log says why; upload again in a minute';
    if (bundle) await writeError(state, bundle, new BundleError(sentence, { mayPass: true, cause }));
  }

  /** Work of one kind or the other, one after the other. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    turn = after(turn, work);
    return turn;
  }

  async function after(before: Promise<void>, work: () => Promise<void>): Promise<void> {
    await before;
    if (closing.signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (!closing.signal.aborted) failures.note(error, { message: 'uploads could not be looked after' });
    }
  }

  async function indexAll(): Promise<void> {
    waiting = false;
    for (let waitMs = 200; !closing.signal.aborted;) {
      try {
        current = await nextBundle(state, indexVersion);
        if (current === undefined) break;
        await indexOne(current);
        waitMs = 200;
      } catch (error) {
        failures.note(error, { message: 'bundles cannot be indexed, trying again' });
        await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {});
        waitMs = Math.min(waitMs * 2, longestWaitMs);
      }
    }
    current = undefined;
    clearTimeout(idling);
    idling = setTimeout(() => {
      // The next bundle gets a thread that is not about to end.
      void worker?.terminate();
      worker = undefined;
    }, idleMs).unref();
  }

  const wake = (): void => {
    if (waiting) return;
    waiting = true;
    void inTurn(indexAll);
  };
  const sweep = (now = Date.now()): Promise<void> =>
    inTurn(() => sweepArtifacts({ state, blobs }, { retentionDays: options.retentionDays ?? 0, now }));

  wake();
  void sweep();
  const sweeping = setInterval(() => void sweep(), sweepEveryMs).unref();

  const close = async (): Promise<void> => {
    closing.abort();
    clearInterval(sweeping);
    clearTimeout(idling);
    await worker?.terminate();
    await turn;
    clearTimeout(idling);
  };
  return {
    wake,
    sweep,
    async announce(bundleId) {
      const bundle = await readIndexed(state, bundleId);
      if (bundle) options.onIndexed(bundle);
    },
    stats: () => ({ bundleId: current, ...counts }),
    async idle() {
      for (let seen; seen !== turn;) {
        seen = turn;
        await seen;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

const tooLarge = (heapMb: number): string =>
  `reading the map needs more than ${heapMb} MB of memory; split the build into smaller files`;
const tooSlow = (slowestMs: number): string =>
  `reading the map took longer than ${Math.round(slowestMs / 1000)} seconds; split the build into smaller files`;
