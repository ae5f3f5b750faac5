/** Waits for the events store, then processes what is in the log, where that is this node's to do. */
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../base/config.ts';
import { CodedError } from '../base/errors.ts';
import { processing as texts } from '../base/texts/stores.ts';
import { keepingOf } from '../domains/retention/index.ts';
import type { Later } from './later.ts';
import type { Stores } from './stores.ts';

export interface Processing extends AsyncDisposable {
  /** Resolves once the events store has its tables; never where the program stops before. */
  readonly ready: Promise<void>;
}

const firstWaitMs = 100;
const longestWaitMs = 5_000;

/** `onSuspects`: segments were noted that may have performance problems. */
export function openProcessing(
  config: Config,
  logger: Logger,
  stores: Stores,
  later: Later,
  onSuspects: () => void,
): Processing {
  const closing = new AbortController();
  const { promise: ready, resolve } = Promise.withResolvers<void>();

  const start = async (): Promise<void> => {
    if (!(await prepare(config, logger, stores, closing.signal))) return;
    if (config.roles.includes('process')) await openPipelineOf();
    later.eventsPrepared = true;
    resolve();
  };
  const openPipelineOf = async (): Promise<void> => {
    const { openPipeline } = await import('../pipeline/pipeline.ts');
    later.pipeline = openPipeline({
      log: stores.log,
      live: stores.live,
      logger,
      failures: stores.failures,
      state: stores.stateOptions,
      events: stores.events.address,
      index: stores.events.index,
      blobs: stores.blobsOptions,
      maxEnvelopeBytes: config.maxEnvelopeBytes,
      performanceWaitMs: config.performanceWaitSeconds * 1_000,
      pseudonymKey: stores.pseudonymKey,
      onSuspects,
      workers: config.workers || Math.max(1, availableParallelism() - 1),
    });
  };
  const started = start();

  return {
    ready,
    async [Symbol.asyncDispose]() {
      closing.abort();
      await started;
      await later.pipeline?.close();
    },
  };
}

/** False where it was told to stop before the tables were there. One node at a time makes them. */
async function prepare(
  { retentionDays }: Config,
  logger: Logger,
  { state, store, failures }: Stores,
  signal: AbortSignal,
): Promise<boolean> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      const keeping = await keepingOf(state, retentionDays);
      await state.alone('events-migration', () => store.prepare(keeping));
      break;
    } catch (error) {
      const message = texts.noStore;
      if (error instanceof CodedError) logger.warn({ err: error }, message);
      else failures.note(error, { message });
      await delay(waitMs, undefined, { signal }).catch(() => {});
    }
  }
  return !signal.aborted;
}
